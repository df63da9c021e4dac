// The controllers of a cluster that accepts faults: each can be stopped, started and made stale while the others run.
import type { Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import type { RunningController } from '../../runtime/controller-parts.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { InterruptibleConnection, withConnection } from './interruptible-connection.ts'

export interface ControllerControls {
  readonly names: readonly string[]
  /** The controller dies between two calls, at whatever point it has reached. */
  stop(name: string): Promise<void>
  /** Starts a new one from the stored objects. One that was stale receives the changes that it missed. */
  start(name: string): Promise<void>
  /** The controller restarts, and from then on receives no changes: its cache is stale. */
  makeStale(name: string): Promise<void>
}

/** Starts a controller whose calls go through `client`. The informers are not started yet. */
export type StartNamed = (client: Client, informers: SharedInformers, onFailure: OnFailure) => RunningController
type OnFailure = (what: string, error: unknown) => void

interface InterruptibleControllersOptions {
  readonly starts: Readonly<Record<string, StartNamed>>
  clientFor(name: string): Client
  readonly clock: Clock
  readonly onFailure: OnFailure
}

interface Entry {
  readonly connection: InterruptibleConnection
  readonly running: RunningController
  /** Absent: the controller uses the shared informers. */
  readonly own?: SharedInformers
}

export class InterruptibleControllers implements ControllerControls {
  readonly #options: InterruptibleControllersOptions
  readonly #entries = new Map<string, Entry>()
  readonly names: readonly string[]
  /** The last change of each controller: they happen one after the other. */
  readonly #changes = new Map<string, Promise<void>>()
  #isStopped = false

  /** Starts all controllers on these informers. */
  constructor(options: InterruptibleControllersOptions, informers: SharedInformers) {
    this.#options = options
    this.names = Object.keys(options.starts).sort()
    for (const name of Object.keys(options.starts)) this.#entries.set(name, this.#begin(name, informers))
  }

  get synced(): Promise<void> {
    return Promise.all([...this.#entries.values()].map(({ running }) => running.synced)).then(() => undefined)
  }

  stop(name: string): Promise<void> {
    return this.#change(name, () => this.#end(name))
  }

  start(name: string): Promise<void> {
    return this.#change(name, async () => {
      const known = this.#entries.get(name)
      if (known === undefined) await this.#beginAlone(name)
      else known.connection.resume()
    })
  }

  makeStale(name: string): Promise<void> {
    return this.#change(name, async () => {
      // It gets informers of its own: the shared ones keep serving the other controllers.
      await this.#end(name)
      const { connection } = await this.#beginAlone(name)
      connection.pause()
    })
  }

  /** Does not wait for a controller that is still starting: in a paused cluster that would never end. */
  async stopAll(): Promise<void> {
    this.#isStopped = true
    for (const { own } of this.#entries.values()) own?.stop()
    await Promise.all([...this.#entries.values()].map(({ running }) => running.stop()))
  }

  #begin(name: string, informers: SharedInformers, connection = new InterruptibleConnection()): Entry {
    const { starts, clientFor, onFailure } = this.#options
    const running = starts[name]!(withConnection(clientFor(name), connection), informers, (what, error) => {
      if (!connection.isCut) onFailure(what, error)
    })
    return { connection, running }
  }

  async #beginAlone(name: string): Promise<Entry> {
    const { clientFor, clock, onFailure } = this.#options
    const connection = new InterruptibleConnection()
    const own = new SharedInformers({ client: withConnection(clientFor(name), connection), clock, onFailure })
    const entry = { ...this.#begin(name, own, connection), own }
    this.#entries.set(name, entry)
    own.start()
    await Promise.all([own.synced, entry.running.synced])
    return entry
  }

  async #end(name: string): Promise<void> {
    const known = this.#entries.get(name)
    if (known === undefined) return
    this.#entries.delete(name)
    known.connection.cut()
    known.own?.stop()
    await known.running.stop()
  }

  #change(name: string, run: () => Promise<void>): Promise<void> {
    const change = (this.#changes.get(name) ?? Promise.resolve()).then(() => (this.#isStopped ? undefined : run()))
    const settled = change.catch(() => {})
    this.#changes.set(name, settled)
    return change
  }
}

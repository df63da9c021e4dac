// The controllers of a cluster by their names: together on one set of local copies, and one by one when somebody stops or
// starts them, or lets them work on an old copy.
import type { Clock } from '../base/clock.ts'
import type { Client } from '../client/client.ts'
import type { RunningController } from '../runtime/controller-parts.ts'
import { SharedInformers } from '../runtime/shared-informers.ts'
import { Line, overLine } from './faults/line.ts'

/** What somebody who makes trouble can do to controllers. */
export interface ControllerControls {
  readonly names: readonly string[]
  /** It dies between two calls, wherever it is. */
  stop(name: string): Promise<void>
  /** A new one starts from what is stored; one that runs hears what was held back. */
  start(name: string): Promise<void>
  /** It starts anew, and from then on hears of nothing that changes. */
  makeStale(name: string): Promise<void>
}

/** Starts a controller whose calls go through `client`. The informers are not started yet. */
export type StartNamed = (client: Client, informers: SharedInformers, onFailure: OnFailure) => RunningController
type OnFailure = (what: string, error: unknown) => void

export interface ControllerSetOptions {
  readonly starts: Readonly<Record<string, StartNamed>>
  clientFor(name: string): Client
  readonly clock: Clock
  readonly onFailure: OnFailure
}

interface Entry {
  readonly line: Line
  readonly running: RunningController
  /** Absent: it shares those of all. */
  readonly own?: SharedInformers
}

export class ControllerSet implements ControllerControls {
  readonly #options: ControllerSetOptions
  readonly #entries = new Map<string, Entry>()
  readonly names: readonly string[]
  /** One change at a time for each. */
  readonly #changes = new Map<string, Promise<void>>()
  #isStopped = false

  /** Starts all of them on these informers. */
  constructor(options: ControllerSetOptions, informers: SharedInformers) {
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
      else known.line.release()
    })
  }

  makeStale(name: string): Promise<void> {
    return this.#change(name, async () => {
      // The copies of all are not held back for one.
      await this.#end(name)
      const { line } = await this.#beginAlone(name)
      line.hold()
    })
  }

  /** Waits for nobody who is being started: time may stand still. */
  async stopAll(): Promise<void> {
    this.#isStopped = true
    for (const { own } of this.#entries.values()) own?.stop()
    await Promise.all([...this.#entries.values()].map(({ running }) => running.stop()))
  }

  #begin(name: string, informers: SharedInformers, line = new Line()): Entry {
    const { starts, clientFor, onFailure } = this.#options
    const running = starts[name]!(overLine(clientFor(name), line), informers, (what, error) => {
      if (!line.isCut) onFailure(what, error)
    })
    return { line, running }
  }

  async #beginAlone(name: string): Promise<Entry> {
    const { clientFor, clock, onFailure } = this.#options
    const line = new Line()
    const own = new SharedInformers({ client: overLine(clientFor(name), line), clock, onFailure })
    const entry = { ...this.#begin(name, own, line), own }
    this.#entries.set(name, entry)
    own.start()
    await Promise.all([own.synced, entry.running.synced])
    return entry
  }

  async #end(name: string): Promise<void> {
    const known = this.#entries.get(name)
    if (known === undefined) return
    this.#entries.delete(name)
    known.line.cut()
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

// Notices that something else writes the status of an object that this process controls: a built-in controller that was turned on again,
// or a second installation. One foreign write is ordinary (a person with kubectl); several within a short time are a fight, in which each
// side undoes what the other does. Then this object is left alone for a while, and no other: a client that may write
// the status of one object must not be able to stop the controller for all.
import type { KubernetesObject } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'

interface FightDetectorOptions {
  readonly clock: Clock
  /** The manager of this process' own writes. */
  readonly ownManager: string
  /** Called when an object is left alone, each time. */
  onFight(kind: string, object: KubernetesObject, manager: string): void
}

interface ObservedObject {
  /** The times of the last status writes of other managers, by manager. */
  lastWrites: ReadonlyMap<string, string>
  /** When other managers wrote. */
  recent: readonly number[]
}

interface LeftObject {
  /** `Deployment default/web` */
  readonly shown: string
  readonly manager: string
  readonly untilMs: number
}

/** So many status writes of others within the window are a fight. */
const foreignWritesInFight = 3
const fightWindowMs = 60_000
/** The object is then reconciled again. */
export const leftAloneMs = 5 * 60_000
const maxShown = 10

export class FightDetector {
  readonly #options: FightDetectorOptions
  /** By uid. */
  readonly #observed = new Map<string, ObservedObject>()
  readonly #left = new Map<string, LeftObject>()

  constructor(options: FightDetectorOptions) {
    this.#options = options
  }

  /** How long the object is still left alone; undefined: it is reconciled. */
  leftAloneMs({ metadata }: KubernetesObject): number | undefined {
    const uid = metadata?.uid ?? ''
    const left = this.#left.get(uid)
    if (left === undefined) return undefined
    const waitMs = left.untilMs - this.#options.clock.now()
    if (waitMs > 0) return waitMs
    this.#left.delete(uid)
    return undefined
  }

  /** The objects that are left alone, for people. */
  get fights(): readonly string[] {
    const nowMs = this.#options.clock.now()
    const left = [...this.#left.values()].filter(({ untilMs }) => untilMs > nowMs)
    const shown = left.slice(0, maxShown).map(({ shown, manager }) => `${shown} is left alone: "${manager}" also writes its status`)
    return left.length > maxShown ? [...shown, `${left.length - maxShown} more objects are left alone`] : shown
  }

  /** An object as a list or the watch reported it, with its managedFields. */
  observe(kind: string, object: KubernetesObject): void {
    const { uid, managedFields = [] } = object.metadata ?? {}
    if (uid === undefined) return
    const known = this.#observed.get(uid)
    const lastWrites = new Map<string, string>()
    for (const { manager = '', subresource, time, fieldsV1 } of managedFields) {
      if (subresource !== 'status' || manager === this.#options.ownManager || time === undefined || !writesCounts(fieldsV1)) continue
      lastWrites.set(manager, time)
    }
    const entry = known ?? { lastWrites, recent: [] }
    // What was written before this process observed the object may be from before the other writer was turned off.
    const writer = known && [...lastWrites].find(([manager, time]) => known.lastWrites.get(manager) !== time)?.[0]
    entry.lastWrites = lastWrites
    this.#observed.set(uid, entry)
    if (writer !== undefined) this.#countWrite(kind, object, entry, writer)
  }

  forget(uid: string): void {
    this.#observed.delete(uid)
    this.#left.delete(uid)
  }

  #countWrite(kind: string, object: KubernetesObject, entry: ObservedObject, manager: string): void {
    if (this.leftAloneMs(object) !== undefined) return
    const nowMs = this.#options.clock.now()
    entry.recent = [...entry.recent.filter((atMs) => atMs > nowMs - fightWindowMs), nowMs]
    if (entry.recent.length < foreignWritesInFight) return
    entry.recent = []
    const { namespace, name = '', uid = '' } = object.metadata ?? {}
    const shown = `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`
    this.#left.set(uid, { shown, manager, untilMs: nowMs + leftAloneMs })
    this.#options.onFight(kind, object, manager)
  }
}

/** Whether a manager owns what a workload controller computes. Conditions of its own may be written by anyone. */
function writesCounts(fieldsV1: unknown): boolean {
  const status = (fieldsV1 as { readonly 'f:status'?: object } | undefined)?.['f:status'] ?? {}
  return Object.keys(status).some((field) => field !== '.' && field !== 'f:conditions')
}

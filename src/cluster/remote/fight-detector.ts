// Notices that something else writes the status of objects that this process controls: a built-in controller that was turned
// on again, or a second installation. One foreign write is ordinary (a person with kubectl); several in a row from one manager
// are a fight, in which each side undoes what the other does.
import type { KubernetesObject } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'

interface FightDetectorOptions {
  readonly clock: Clock
  /** The manager of this process' own writes. */
  readonly ownManager: string
  /** Called once for a kind. */
  onFight(kind: string, manager: string): void
}

/** So many status writes of one other manager within the window are a fight. */
const foreignWritesInFight = 3
const fightWindowMs = 60_000

export class FightDetector {
  readonly #options: FightDetectorOptions
  /** The last status write of each other manager, by the uid of the object. */
  readonly #lastWrites = new Map<string, Map<string, string>>()
  /** When the other manager wrote, by kind and manager. */
  readonly #recent = new Map<string, number[]>()
  readonly #stopped = new Set<string>()

  constructor(options: FightDetectorOptions) {
    this.#options = options
  }

  isStopped(kind: string): boolean {
    return this.#stopped.has(kind)
  }

  /** An object as a list or the watch reported it, with its managedFields. */
  observe(kind: string, { metadata }: KubernetesObject): void {
    const { uid, managedFields = [] } = metadata ?? {}
    if (uid === undefined || this.#stopped.has(kind)) return
    const known = this.#lastWrites.get(uid)
    const writes = known ?? new Map<string, string>()
    if (known === undefined) this.#lastWrites.set(uid, writes)
    for (const { manager = '', subresource, time } of managedFields) {
      if (subresource !== 'status' || manager === this.#options.ownManager || time === undefined) continue
      const before = writes.get(manager)
      writes.set(manager, time)
      // What was written before this process observed the object may be from before the other writer was turned off.
      if (known !== undefined && before !== time) this.#countWrite(kind, manager)
    }
  }

  forget(uid: string): void {
    this.#lastWrites.delete(uid)
  }

  #countWrite(kind: string, manager: string): void {
    const nowMs = this.#options.clock.now()
    const key = `${kind}/${manager}`
    const recent = (this.#recent.get(key) ?? []).filter((atMs) => atMs > nowMs - fightWindowMs)
    recent.push(nowMs)
    this.#recent.set(key, recent)
    if (recent.length < foreignWritesInFight) return
    this.#stopped.add(kind)
    this.#options.onFight(kind, manager)
  }
}

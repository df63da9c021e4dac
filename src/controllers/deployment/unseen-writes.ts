// What a Deployment's controller has written and its copies do not show yet. Until they do, it decides nothing: a
// decision on an old copy would be a second one.
//
// Guarantee: a write that was decided on version A is unseen as long as the copy shows A; the version after A is the
// write itself, so no order of versions is needed.
// Caveat: a write that never shows (made and unmade between two lists) is given up after five minutes.
import type { Clock } from '../../base/clock.ts'

interface Unseen {
  readonly isUnseen: () => boolean
  readonly untilMs: number
}

const patienceMs = 5 * 60 * 1000

export class UnseenWrites {
  readonly #clock: Clock
  readonly #byKey = new Map<string, readonly Unseen[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `isUnseen` looks into the copy. */
  add(key: string, isUnseen: () => boolean): void {
    if (!isUnseen()) return
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), { isUnseen, untilMs: this.#clock.now() + patienceMs }])
  }

  /** How long until the last of them is given up; undefined when all have been seen. */
  waitMs(key: string): number | undefined {
    const known = this.#byKey.get(key)
    if (known === undefined) return undefined
    const now = this.#clock.now()
    const left = known.filter(({ isUnseen, untilMs }) => untilMs > now && isUnseen())
    if (left.length === 0) {
      this.#byKey.delete(key)
      return undefined
    }
    if (left.length < known.length) this.#byKey.set(key, left)
    return Math.max(...left.map(({ untilMs }) => untilMs - now))
  }

  forget(key: string): void {
    this.#byKey.delete(key)
  }
}

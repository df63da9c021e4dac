// What a controller has asked for and its local copy does not show yet. While something is outstanding, the copy is known
// to be behind, and the controller must not decide anything from it: it would act twice.
//
// Guarantee: between `expect*` and the observation of everything expected, `isSatisfied` is false.
// Caveat: what is never seen (it came and went between two lists) is given up after five minutes, as in Kubernetes.
import type { Clock } from '../base/clock.ts'

interface Outstanding {
  creations: number
  readonly deletions: Set<string>
  setAtMs: number
}

/** What has not been seen after this time will not be. */
export const patienceMs = 5 * 60 * 1000

export class Expectations {
  readonly #clock: Clock
  readonly #outstanding = new Map<string, Outstanding>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `key` is about to create `count` objects. Say so before the first request: the answer may be seen before it returns. */
  expectCreations(key: string, count: number): void {
    this.#of(key).creations += count
  }

  /** `key` is about to delete these objects. */
  expectDeletions(key: string, objects: readonly string[]): void {
    const { deletions } = this.#of(key)
    for (const object of objects) deletions.add(object)
  }

  /** One was seen, or the request failed and none will come. */
  creationObserved(key: string): void {
    const outstanding = this.#outstanding.get(key)
    if (outstanding === undefined) return
    if (outstanding.creations > 0) outstanding.creations--
    this.#forgetIfEmpty(key, outstanding)
  }

  /** It was seen to go or to be going, or the request failed. */
  deletionObserved(key: string, object: string): void {
    const outstanding = this.#outstanding.get(key)
    if (outstanding === undefined) return
    outstanding.deletions.delete(object)
    this.#forgetIfEmpty(key, outstanding)
  }

  /** How many creations are still to be seen; none of those that were given up. */
  outstandingCreations(key: string): number {
    return this.isSatisfied(key) ? 0 : (this.#outstanding.get(key)?.creations ?? 0)
  }

  isSatisfied(key: string): boolean {
    const outstanding = this.#outstanding.get(key)
    return outstanding === undefined || this.#clock.now() - outstanding.setAtMs > patienceMs
  }

  /** The owner is gone, or starts anew. */
  forget(key: string): void {
    this.#outstanding.delete(key)
  }

  #of(key: string): Outstanding {
    const known = this.#outstanding.get(key)
    if (known !== undefined) {
      known.setAtMs = this.#clock.now()
      return known
    }
    const outstanding: Outstanding = { creations: 0, deletions: new Set(), setAtMs: this.#clock.now() }
    this.#outstanding.set(key, outstanding)
    return outstanding
  }

  #forgetIfEmpty(key: string, { creations, deletions }: Outstanding): void {
    if (creations === 0 && deletions.size === 0) this.#outstanding.delete(key)
  }
}

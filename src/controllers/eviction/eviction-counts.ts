// The evictions that wait until their pods are replaced, and how those before them have ended.
// Ours: surge before eviction exists in Rollcall only.
import type { EvictionAnswer } from './plan/eviction-marks.ts'
import type { WaitingEviction } from './plan/evictions.ts'

export class EvictionCounts {
  readonly #waiting = new Map<string, readonly WaitingEviction[]>()
  readonly #answered = new Map<EvictionAnswer, number>()

  /** By the key of their workload. */
  get waiting(): ReadonlyMap<string, readonly WaitingEviction[]> {
    return this.#waiting
  }

  /** Since the start, by the reason. */
  get answered(): ReadonlyMap<EvictionAnswer, number> {
    return this.#answered
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  has(key: string): boolean {
    return this.#waiting.has(key)
  }

  note(key: string, waiting: readonly WaitingEviction[]): void {
    if (waiting.length > 0) this.#waiting.set(key, waiting)
    else this.#waiting.delete(key)
  }

  noteAnswer(reason: EvictionAnswer): void {
    this.#answered.set(reason, (this.#answered.get(reason) ?? 0) + 1)
  }

  delete(key: string): void {
    this.#waiting.delete(key)
  }
}

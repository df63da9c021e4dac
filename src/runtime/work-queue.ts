// Keys that wait to be processed.
//
// Guarantees: a key waits in the queue at most once. A key that is added while it is processed is added again when that is
// done: a key is never processed twice at the same time, and no addition is lost. A key is processed no sooner than
// `minIntervalMs` after it was processed last: changes that arrive meanwhile are processed together.
// Kubernetes: k8s.io/client-go/util/workqueue.Typed.*, delayingType.*, rateLimitingType.*

import { backoffMs } from '../base/backoff.ts'
import type { CancelTimer, Clock } from '../base/clock.ts'
import type { QueueObserver } from './queue-metrics.ts'

interface WorkQueueOptions {
  readonly clock: Clock
  /** The wait after the first failure; it doubles with each further one. */
  readonly firstDelayMs?: number
  readonly maxDelayMs?: number
  /** Default: 0. */
  readonly minIntervalMs?: number
  readonly observer?: QueueObserver
}

export class WorkQueue {
  readonly #clock: Clock
  readonly #firstDelayMs: number
  readonly #maxDelayMs: number
  readonly #minIntervalMs: number
  readonly #observer: QueueObserver | undefined
  /** When keys were last processed, the longest ago first. Older times than the interval are dropped. */
  readonly #doneAtMs = new Map<string, number>()
  /** In the order of arrival. */
  readonly #waiting = new Set<string>()
  readonly #working = new Set<string>()
  /** Added while being processed. */
  readonly #again = new Set<string>()
  readonly #failures = new Map<string, number>()
  readonly #delayed = new Map<string, { readonly atMs: number; readonly cancel: CancelTimer }>()
  #closed = false
  #onReady: () => void = () => {}

  constructor({ clock, firstDelayMs = 5, maxDelayMs = 1_000_000, minIntervalMs = 0, observer }: WorkQueueOptions) {
    this.#observer = observer
    this.#clock = clock
    this.#firstDelayMs = firstDelayMs
    this.#maxDelayMs = maxDelayMs
    this.#minIntervalMs = minIntervalMs
  }

  get length(): number {
    return this.#waiting.size
  }

  /** How many keys are being processed. */
  get working(): number {
    return this.#working.size
  }

  isWorkedOn(key: string): boolean {
    return this.#working.has(key)
  }

  /** Called whenever a key becomes ready. */
  set onReady(listener: () => void) {
    this.#onReady = listener
  }

  add(key: string): void {
    if (this.#closed) return
    if (this.#working.has(key)) {
      this.#again.add(key)
      return
    }
    if (this.#waiting.has(key)) return
    const restMs = this.#restMs(key)
    if (restMs > 0) {
      this.addAfter(key, restMs)
      return
    }
    this.#waiting.add(key)
    this.#observer?.added(key)
    this.#onReady()
  }

  /** Adds the key after a delay. Of several delays for one key, the shortest counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#closed) return
    if (delayMs <= 0) {
      this.add(key)
      return
    }
    const atMs = this.#clock.now() + delayMs
    const pending = this.#delayed.get(key)
    if (pending !== undefined) {
      if (pending.atMs <= atMs) return
      pending.cancel()
    }
    const cancel = this.#clock.after(delayMs, () => {
      this.#delayed.delete(key)
      this.add(key)
    })
    this.#delayed.set(key, { atMs, cancel })
  }

  /** Adds the key after a delay that grows with its failures. */
  addAfterFailure(key: string): void {
    const failures = (this.#failures.get(key) ?? 0) + 1
    this.#failures.set(key, failures)
    this.#observer?.retried()
    this.addAfter(key, backoffMs(failures, { firstMs: this.#firstDelayMs, maxMs: this.#maxDelayMs }))
  }

  /** Resets the failures of the key after a success. */
  forget(key: string): void {
    this.#failures.delete(key)
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0
  }

  /** The key that has waited longest, or undefined. `done` must be called for it. */
  take(): string | undefined {
    for (const key of this.#waiting) {
      this.#waiting.delete(key)
      this.#working.add(key)
      this.#observer?.taken(key)
      return key
    }
    return undefined
  }

  done(key: string): void {
    this.#working.delete(key)
    this.#observer?.done(key)
    if (this.#minIntervalMs > 0) this.#rest(key)
    if (this.#again.delete(key)) this.add(key)
  }

  #rest(key: string): void {
    const nowMs = this.#clock.now()
    for (const [old, doneAtMs] of this.#doneAtMs) {
      if (doneAtMs + this.#minIntervalMs > nowMs) break
      this.#doneAtMs.delete(old)
    }
    this.#doneAtMs.delete(key)
    this.#doneAtMs.set(key, nowMs)
  }

  #restMs(key: string): number {
    const doneAtMs = this.#doneAtMs.get(key)
    return doneAtMs === undefined ? 0 : doneAtMs + this.#minIntervalMs - this.#clock.now()
  }

  /** From now on no key is added, delayed ones included. */
  close(): void {
    this.#closed = true
    for (const { cancel } of this.#delayed.values()) cancel()
    this.#delayed.clear()
    this.#waiting.clear()
    this.#again.clear()
  }
}

// Keys waiting to be worked on. A key is in the queue at most once; a key that is added while it is being worked on
// comes back when that work is done: a key is never worked on twice at a time, and a wake-up is never dropped.
import type { CancelTimer, Clock } from '../base/clock.ts'
import type { QueueObserver } from './queue-metrics.ts'

export interface WorkQueueOptions {
  readonly clock: Clock
  /** The wait after the first failure; it doubles with each further one. */
  readonly firstDelayMs?: number
  readonly longestDelayMs?: number
  readonly observer?: QueueObserver
}

export class WorkQueue {
  readonly #clock: Clock
  readonly #firstDelayMs: number
  readonly #longestDelayMs: number
  readonly #observer: QueueObserver | undefined
  /** In the order of arrival. A Set keeps it, and takes each key once. */
  readonly #waiting = new Set<string>()
  readonly #working = new Set<string>()
  /** Added while being worked on. */
  readonly #again = new Set<string>()
  readonly #failures = new Map<string, number>()
  readonly #delayed = new Map<string, { readonly atMs: number; readonly cancel: CancelTimer }>()
  #closed = false
  #onReady: () => void = () => {}

  constructor({ clock, firstDelayMs = 5, longestDelayMs = 1_000_000, observer }: WorkQueueOptions) {
    this.#observer = observer
    this.#clock = clock
    this.#firstDelayMs = firstDelayMs
    this.#longestDelayMs = longestDelayMs
  }

  get length(): number {
    return this.#waiting.size
  }

  /** How many keys are being worked on. */
  get working(): number {
    return this.#working.size
  }

  isWorkedOn(key: string): boolean {
    return this.#working.has(key)
  }

  /** Nothing waits, nothing is being worked on. Delayed keys do not count. */
  get idle(): boolean {
    return this.#waiting.size === 0 && this.#working.size === 0
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
    this.#waiting.add(key)
    this.#observer?.added(key)
    this.#onReady()
  }

  /** Adds the key later. Of several delays for one key, the soonest counts. */
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
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    this.#observer?.retried()
    this.addAfter(key, Math.min(this.#firstDelayMs * 2 ** failures, this.#longestDelayMs))
  }

  /** The key has succeeded: its failures no longer count. */
  forget(key: string): void {
    this.#failures.delete(key)
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0
  }

  /** The key that has waited longest; `done` must follow. Undefined when none waits. */
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
    if (this.#again.delete(key)) this.add(key)
  }

  /** Nothing is added any more, and no delayed key comes. */
  close(): void {
    this.#closed = true
    for (const { cancel } of this.#delayed.values()) cancel()
    this.#delayed.clear()
    this.#waiting.clear()
    this.#again.clear()
  }
}

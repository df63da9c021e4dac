// The pods of a fleet that are to be reconciled, in order. A turn of the event loop is short: whatever pods do, whoever
// asks the server something gets an answer between two turns.
import type { Clock } from '../base/clock.ts'

/** So many are reconciled before others get their turn, and about so much work is done. */
const maxInOneTurn = 256
const maxUnitsInOneTurn = 10_000
/** Whatever did more than that the last time waits until the others are done. */
const heavyUnits = 1000

interface ReconcileQueueOptions<T> {
  readonly clock: Clock
  /** Whether there is room for what comes of a reconcile. When there is again, `schedule` is called. */
  hasRoom(): boolean
  /** Returns the work that it did. */
  reconcile(item: T): number
}

export class ReconcileQueue<T extends object> {
  readonly #options: ReconcileQueueOptions<T>
  readonly #items: T[] = []
  readonly #heavyItems: T[] = []
  readonly #heavy = new WeakSet<T>()
  #isScheduled = false
  #isStopped = false

  constructor(options: ReconcileQueueOptions<T>) {
    this.#options = options
  }

  /** The caller sees to it that an item is not added twice. */
  add(item: T): void {
    if (this.#heavy.has(item)) this.#heavyItems.push(item)
    else this.#items.push(item)
    this.schedule()
  }

  schedule(): void {
    if (this.#isScheduled || this.#isStopped || (this.#items.length === 0 && this.#heavyItems.length === 0)) return
    this.#isScheduled = true
    this.#options.clock.after(0, () => {
      this.#isScheduled = false
      const units = this.#take(this.#items, 0)
      this.#take(this.#heavyItems, units)
      if (this.#options.hasRoom()) this.schedule()
    })
  }

  stop(): void {
    this.#isStopped = true
  }

  #take(items: T[], unitsBefore: number): number {
    const { hasRoom, reconcile } = this.#options
    let units = unitsBefore
    let at = 0
    while (at < items.length && at < maxInOneTurn && units < maxUnitsInOneTurn && !this.#isStopped && hasRoom()) {
      const item = items[at++]!
      const spent = reconcile(item)
      units += spent
      if (spent > heavyUnits) this.#heavy.add(item)
      else this.#heavy.delete(item)
    }
    items.splice(0, at)
    return units
  }
}

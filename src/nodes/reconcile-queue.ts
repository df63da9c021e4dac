// The queue of pods to sync. It works in short slices of the event loop, so that the server can respond to requests in between,
// whatever the pods do.
import type { Clock } from '../base/clock.ts'

/** The maximum number of items, and roughly of work units, in one slice. */
const maxInOneTurn = 256
const maxUnitsInOneTurn = 10_000
/** An item that used more work in its last reconcile waits until the light items are done. */
const heavyUnits = 1000

interface ReconcileQueueOptions<T> {
  readonly clock: Clock
  /** Whether another reconcile may start. The owner calls `schedule` when it may again. */
  hasRoom(): boolean
  /** Returns the work units that it used. */
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

  /** The caller must not add an item that is in the queue. */
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

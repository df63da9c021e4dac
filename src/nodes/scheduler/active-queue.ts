// The pods to schedule next: the highest priority first, then the oldest, then the first that was added.
// Kubernetes: pkg/scheduler/framework/plugins/queuesort.PrioritySort.Less
import { Heap } from '../../base/heap.ts'

export interface QueueOrder {
  readonly priority: number
  readonly createdMs: number
  readonly sequence: number
}

interface Entry<T> {
  readonly item: T
  /** A removed entry stays in the heap until it comes to the top. */
  isRemoved: boolean
}

/** Holds every item once. */
export class ActiveQueue<T extends QueueOrder> {
  readonly #heap = new Heap<Entry<T>>((a, b) => isBefore(a.item, b.item))
  readonly #entries = new Map<T, Entry<T>>()

  get size(): number {
    return this.#entries.size
  }

  add(item: T): void {
    if (this.#entries.has(item)) return
    const entry = { item, isRemoved: false }
    this.#entries.set(item, entry)
    this.#heap.push(entry)
  }

  delete(item: T): void {
    const entry = this.#entries.get(item)
    if (entry === undefined) return
    entry.isRemoved = true
    this.#entries.delete(item)
  }

  take(): T | undefined {
    for (let first = this.#heap.pop(); first !== undefined; first = this.#heap.pop()) {
      if (first.isRemoved) continue
      this.#entries.delete(first.item)
      return first.item
    }
    return undefined
  }
}

const isBefore = (a: QueueOrder, b: QueueOrder) => {
  if (a.priority !== b.priority) return a.priority > b.priority
  return a.createdMs === b.createdMs ? a.sequence < b.sequence : a.createdMs < b.createdMs
}

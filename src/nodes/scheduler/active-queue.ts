// The pods that are next, the most important first; of equals the oldest, and then the one that came first.

export interface QueueOrder {
  readonly priority: number
  readonly createdMs: number
  readonly sequence: number
}

interface Place<T> {
  readonly item: T
  /** It has left: its place is passed over. */
  isRemoved: boolean
}

/** Every item is in it once. */
export class ActiveQueue<T extends QueueOrder> {
  readonly #heap: Place<T>[] = []
  readonly #places = new Map<T, Place<T>>()

  get size(): number {
    return this.#places.size
  }

  has(item: T): boolean {
    return this.#places.has(item)
  }

  add(item: T): void {
    if (this.#places.has(item)) return
    const place = { item, isRemoved: false }
    this.#places.set(item, place)
    const heap = this.#heap
    let at = heap.length
    heap.push(place)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (isBefore(heap[parent]!.item, item)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = place
  }

  delete(item: T): void {
    const place = this.#places.get(item)
    if (place === undefined) return
    place.isRemoved = true
    this.#places.delete(item)
  }

  take(): T | undefined {
    for (let first = this.#pop(); first !== undefined; first = this.#pop()) {
      if (first.isRemoved) continue
      this.#places.delete(first.item)
      return first.item
    }
    return undefined
  }

  #pop(): Place<T> | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!.item, heap[child]!.item)) child++
      if (isBefore(last.item, heap[child]!.item)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = last
    return first
  }
}

const isBefore = (a: QueueOrder, b: QueueOrder) => {
  if (a.priority !== b.priority) return a.priority > b.priority
  return a.createdMs === b.createdMs ? a.sequence < b.sequence : a.createdMs < b.createdMs
}

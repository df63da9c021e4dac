// Items in the order of their due times. Of items that are due at the same time the one with the lower rank comes first, then the
// one that was added first.
import { Heap } from './heap.ts'

export interface DueEntry<T> {
  readonly atMs: number
  readonly rank: number
  readonly sequence: number
  /** Undefined: it was cancelled. */
  item: T | undefined
}

export class DueTimes<T> {
  readonly #heap = new Heap<DueEntry<T>>(isBefore)
  #sequence = 0

  /** The entry is cancelled by setting its item to undefined. */
  add(item: T, atMs: number, rank = 0): DueEntry<T> {
    const entry = { atMs, rank, sequence: this.#sequence++, item }
    this.#heap.push(entry)
    return entry
  }

  /** The first entry that was not cancelled. */
  get first(): DueEntry<T> | undefined {
    for (let top = this.#heap.top; top !== undefined; top = this.#heap.top) {
      if (top.item !== undefined) return top
      this.#heap.pop()
    }
    return undefined
  }

  /** Removes the first entry and returns it, if it is due by `limitMs`. */
  takeDue(limitMs: number): (DueEntry<T> & { readonly item: T }) | undefined {
    const { first } = this
    if (first === undefined || first.atMs > limitMs) return undefined
    return this.#heap.pop() as DueEntry<T> & { readonly item: T }
  }

  clear(): void {
    this.#heap.clear()
  }
}

const isBefore = <T>(a: DueEntry<T>, b: DueEntry<T>) =>
  a.atMs !== b.atMs ? a.atMs < b.atMs : a.rank !== b.rank ? a.rank < b.rank : a.sequence < b.sequence

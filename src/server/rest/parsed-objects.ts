// A cache of parsed objects of fixed size, with second-chance (clock) replacement: objects that are no longer read are evicted
// and parsed again on the next read.
// Ours: a cache of parsed objects.
import type { Kind } from '../../api/machinery/kind.ts'

export interface CachedEntry {
  readonly kind: Kind
  /** The position in the cache. */
  slot: number
  /** Whether it was read since the last call. */
  testAndClearRead(): boolean
  /** Releases the parsed object. */
  evict(): void
}

const maxParsedEvents = 512

export class ParsedObjects {
  readonly #objects: ClockCache
  // Events outnumber all other objects and are rarely read twice, so they have a small cache of their own.
  readonly #events: ClockCache

  constructor(limit: number) {
    this.#objects = new ClockCache(limit)
    this.#events = new ClockCache(Math.min(limit, maxParsedEvents))
  }

  add(entry: CachedEntry): void {
    this.#ringOf(entry).add(entry)
  }

  /** Removes the entry without evicting it: a reader may still need the parsed object. */
  release(entry: CachedEntry): void {
    this.#ringOf(entry).release(entry)
  }

  evictAll(): void {
    this.#objects.evictAll()
    this.#events.evictAll()
  }

  #ringOf({ kind }: CachedEntry): ClockCache {
    return kind.isLog ? this.#events : this.#objects
  }
}

class ClockCache {
  readonly #slots: (CachedEntry | undefined)[]
  readonly #free: number[] = []
  #hand = 0

  constructor(limit: number) {
    this.#slots = new Array<CachedEntry | undefined>(limit).fill(undefined)
  }

  add(entry: CachedEntry): void {
    entry.slot = this.#takeFree() ?? this.#makeRoom()
    this.#slots[entry.slot] = entry
  }

  #takeFree(): number | undefined {
    for (;;) {
      const at = this.#free.pop()
      // The hand may have filled the slot in the meantime.
      if (at === undefined || this.#slots[at] === undefined) return at
    }
  }

  release(entry: CachedEntry): void {
    if (this.#slots[entry.slot] !== entry) return
    this.#slots[entry.slot] = undefined
    this.#free.push(entry.slot)
  }

  evictAll(): void {
    for (const entry of this.#slots) entry?.evict()
    this.#slots.fill(undefined)
    this.#free.length = 0
    this.#hand = 0
  }

  #makeRoom(): number {
    // Recently read entries get a second chance, but only a few in a row, which bounds the search.
    for (let chances = 8; ; chances--) {
      const at = this.#hand
      this.#hand = at + 1 === this.#slots.length ? 0 : at + 1
      const before = this.#slots[at]
      if (before?.testAndClearRead() && chances > 0) continue
      before?.evict()
      return at
    }
  }
}

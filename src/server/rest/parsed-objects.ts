// Objects that are kept parsed beside their texts: so many, and those that are read.
import type { Kind } from '../../api/machinery/kind.ts'

export interface CachedEntry {
  readonly kind: Kind
  /** Its place in here. */
  slot: number
  /** Says whether it was read since the last call. */
  testAndClearRead(): boolean
  /** It can be parsed again. */
  evict(): void
}

const maxParsedEvents = 512

/** Keeps the number of parsed objects bounded: the ones that are not read any more are parsed again when they are. */
export class ParsedObjects {
  readonly #objects: ClockCache
  // There are more of them than of all else together, and hardly one is read twice.
  readonly #events: ClockCache

  constructor(limit: number) {
    this.#objects = new ClockCache(limit)
    this.#events = new ClockCache(Math.min(limit, maxParsedEvents))
  }

  add(entry: CachedEntry): void {
    this.#ringOf(entry).add(entry)
  }

  /** It takes no room any more. It is not forgotten: somebody may be about to read it. */
  release(entry: CachedEntry): void {
    this.#ringOf(entry).release(entry)
  }

  /** Nobody will read them soon. */
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
      // The hand may have been there before.
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
    // A second chance for what was read lately, but not for more than a few in a row: the search must end.
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

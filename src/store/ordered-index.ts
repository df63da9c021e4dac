import type { StoredRecord } from './store.ts'

// Records in the order of their keys: sorted chunks in a sorted directory. A search is two binary searches, an insert
// moves at most one chunk's worth of pointers, and a range is a few array slices. The index costs one pointer for each record,
// and has no hash table that would stop the process while it is rehashed.

const chunkSize = 512

/** The position before the record at `offset` of that chunk. `offset` is below the chunk's length, except at the end of the index. */
interface Position {
  chunk: number
  offset: number
}

export class OrderedIndex {
  #chunks: StoredRecord[][] = []
  #size = 0

  /** `records` are in ascending order of their keys, without duplicates. */
  static from(records: readonly StoredRecord[]): OrderedIndex {
    const index = new OrderedIndex()
    const fill = (chunkSize * 3) / 4
    for (let start = 0; start < records.length; start += fill) index.#chunks.push(records.slice(start, start + fill))
    index.#size = records.length
    return index
  }

  get size(): number {
    return this.#size
  }

  get(key: string): StoredRecord | undefined {
    const { chunk, offset } = this.#lowerBound(key)
    const found = this.#chunks[chunk]?.[offset]
    return found?.key === key ? found : undefined
  }

  set(record: StoredRecord): void {
    const key = record.key
    // A key between two chunks is appended to the left one; a key before all others is inserted into the first.
    const at = Math.max(0, this.#chunkOf(key))
    const chunk = this.#chunks[at]
    if (chunk === undefined) {
      this.#chunks.push([record])
      this.#size = 1
      return
    }
    const offset = lowerOffset(chunk, key)
    if (chunk[offset]?.key === key) {
      chunk[offset] = record
      return
    }
    chunk.splice(offset, 0, record)
    this.#size++
    if (chunk.length > chunkSize) this.#chunks.splice(at + 1, 0, chunk.splice(chunkSize / 2))
  }

  delete(key: string): void {
    const at = this.#chunkOf(key)
    const chunk = this.#chunks[at]
    if (chunk === undefined) return
    const offset = lowerOffset(chunk, key)
    if (chunk[offset]?.key !== key) return
    chunk.splice(offset, 1)
    this.#size--
    const next = this.#chunks[at + 1]
    if (chunk.length === 0) this.#chunks.splice(at, 1)
    else if (next !== undefined && chunk.length + next.length <= chunkSize / 2) this.#chunks.splice(at, 2, chunk.concat(next))
  }

  count(prefix: string): number {
    return this.#distance(this.#lowerBound(prefix), this.#endOf(prefix))
  }

  /** The first `limit` records with that prefix whose keys follow `after`, and how many more there are. */
  range(prefix: string, after: string | undefined, limit: number): { records: StoredRecord[]; remaining: number } {
    const end = this.#endOf(prefix)
    let { chunk, offset } = after === undefined || after < prefix ? this.#lowerBound(prefix) : this.#upperBound(after)
    const total = this.#distance({ chunk, offset }, end)
    const wanted = Math.min(total, limit)
    const records: StoredRecord[] = []
    while (records.length < wanted) {
      const source = this.#chunks[chunk]!
      const stop = Math.min(source.length, offset + wanted - records.length)
      for (let i = offset; i < stop; i++) records.push(source[i]!)
      chunk++
      offset = 0
    }
    return { records, remaining: total - wanted }
  }

  /** The last chunk whose first key is not greater, or -1. */
  #chunkOf(key: string): number {
    let low = 0
    let high = this.#chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#chunks[middle]![0]!.key <= key) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  #lowerBound(key: string): Position {
    const chunk = this.#chunkOf(key)
    return chunk < 0 ? { chunk: 0, offset: 0 } : this.#normal(chunk, lowerOffset(this.#chunks[chunk]!, key))
  }

  #upperBound(key: string): Position {
    const { chunk, offset } = this.#lowerBound(key)
    return this.#chunks[chunk]?.[offset]?.key === key ? this.#normal(chunk, offset + 1) : { chunk, offset }
  }

  /** After the last key with that prefix. */
  #endOf(prefix: string): Position {
    const isBeforeEnd = (record: StoredRecord) => record.key < prefix || record.key.startsWith(prefix)
    const chunk = lastIndexWhere(this.#chunks.length, (i) => isBeforeEnd(this.#chunks[i]![0]!))
    if (chunk < 0) return { chunk: 0, offset: 0 }
    const records = this.#chunks[chunk]!
    return this.#normal(chunk, lastIndexWhere(records.length, (i) => isBeforeEnd(records[i]!)) + 1)
  }

  #normal(chunk: number, offset: number): Position {
    return offset < this.#chunks[chunk]!.length ? { chunk, offset } : { chunk: chunk + 1, offset: 0 }
  }

  #distance(from: Position, to: Position): number {
    if (from.chunk > to.chunk) return 0
    let distance = to.offset - from.offset
    for (let chunk = from.chunk; chunk < to.chunk; chunk++) distance += this.#chunks[chunk]!.length
    return Math.max(0, distance)
  }
}

/** The index of the first record whose key is not smaller. */
function lowerOffset(records: readonly StoredRecord[], key: string): number {
  let low = 0
  let high = records.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (records[middle]!.key < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Of the indices below `length`, the last one for which `holds`, or -1. `holds` must be true up to some index and false after it. */
function lastIndexWhere(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low - 1
}

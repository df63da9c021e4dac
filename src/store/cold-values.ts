import type { OrderedIndex } from './ordered-index.ts'
import { PackableRecord } from './packable-record.ts'
import { ValuePacker } from './packed-value.ts'

// Most objects of a large cluster rarely change. With each write a cursor advances a few records through the store and packs the
// values that have not changed recently; reads unpack them. A small store is not packed: it would cost time and save little.

export interface PackingLimits {
  /** Stores with fewer records are not packed. */
  readonly records: number
  /** A value is packed when this many writes followed it. */
  readonly age: number
}

export const defaultPackingLimits: PackingLimits = { records: 20_000, age: 5_000 }

const stepsPerWrite = 2
const stepsPerBatch = 128

export class ColdValues {
  readonly #index: OrderedIndex
  readonly #limits: PackingLimits
  readonly #packing = new ValuePacker()
  /** The key before the cursor. */
  #last = ''
  #steps = 0

  constructor(index: OrderedIndex, limits: PackingLimits) {
    this.#index = index
    this.#limits = limits
  }

  /** `revision` is that of the last write. */
  noteWrites(writes: number, revision: number): void {
    if (this.#index.size < this.#limits.records) return
    this.#steps += writes * stepsPerWrite
    if (this.#steps < stepsPerBatch) return
    this.#steps -= stepsPerBatch
    const { records } = this.#index.range('', this.#last, stepsPerBatch)
    const coldRevision = revision - this.#limits.age
    for (const record of records) if (record.revision <= coldRevision && record instanceof PackableRecord) record.pack(this.#packing)
    this.#last = records.at(-1)?.key ?? ''
  }
}

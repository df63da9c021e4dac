import type { OrderedIndex } from './ordered-index.ts'
import { TextPacking } from './packed-text.ts'
import { TextRecord } from './text-record.ts'

// Most of a large cluster stays as it is for long. A hand goes round the records, some steps for each write, and packs the
// texts that have not changed lately; whoever reads one gets it unpacked. In a small cluster it is not worth the time.

export interface PackingLimits {
  /** Fewer records are left alone. */
  readonly records: number
  /** A text is packed after so many changes of others. */
  readonly age: number
}

export const defaultPackingLimits: PackingLimits = { records: 20_000, age: 5_000 }

const stepsAWrite = 2
const stepsAtATime = 128

export class ColdTexts {
  readonly #index: OrderedIndex
  readonly #limits: PackingLimits
  readonly #packing = new TextPacking()
  /** The hand is after it. */
  #last = ''
  #steps = 0

  constructor(index: OrderedIndex, limits: PackingLimits) {
    this.#index = index
    this.#limits = limits
  }

  /** The store is at that revision after so many writes. */
  noteWrites(writes: number, revision: number): void {
    if (this.#index.size < this.#limits.records) return
    this.#steps += writes * stepsAWrite
    if (this.#steps < stepsAtATime) return
    this.#steps -= stepsAtATime
    const { records } = this.#index.range('', this.#last, stepsAtATime)
    const coldRevision = revision - this.#limits.age
    for (const record of records) if (record.revision <= coldRevision && record instanceof TextRecord) record.pack(this.#packing)
    this.#last = records.at(-1)?.key ?? ''
  }
}

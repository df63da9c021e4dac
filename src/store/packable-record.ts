import type { Pattern, ValuePacker } from './packed-value.ts'
import type { StoredRecord } from './store.ts'

/** A record whose value may be held in packed form. */
export class PackableRecord implements StoredRecord {
  readonly key: string
  readonly revision: number
  readonly createRevision: number
  memo: unknown
  /** The value, or the parts that fill its pattern. */
  #held: string
  /** Undefined: not packed yet. Null: no pattern was found. */
  #pattern: Pattern | null | undefined

  constructor(key: string, revision: number, createRevision: number, value: string, memo: unknown) {
    this.key = key
    this.revision = revision
    this.createRevision = createRevision
    this.memo = memo
    this.#held = value
    this.#pattern = undefined
  }

  get value(): string {
    return this.#pattern ? this.#pattern.fill(this.#held) : this.#held
  }

  /** The number of characters in memory. */
  get heldCharacters(): number {
    return this.#held.length
  }

  /** Tried once: a value without a pattern stays unpacked. */
  pack(packing: ValuePacker): void {
    if (this.#pattern !== undefined) return
    const packed = packing.pack(this.key.slice(0, this.key.indexOf('/') + 1), this.#held)
    this.#pattern = packed?.pattern ?? null
    if (packed !== undefined) this.#held = packed.values
  }

  mayContain(part: string): boolean {
    return this.#pattern ? this.#pattern.mayContain(this.#held, part) : this.#held.includes(part)
  }
}

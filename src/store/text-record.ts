import type { Pattern, TextPacking } from './packed-text.ts'
import type { StoredRecord } from './store.ts'

/** A record that may hold its text packed. */
export class TextRecord implements StoredRecord {
  readonly key: string
  readonly revision: number
  readonly createRevision: number
  memo: unknown
  /** The text, or what a pattern makes it of. */
  #kept: string
  /** Null: none was found. */
  #pattern: Pattern | null | undefined

  constructor(key: string, revision: number, createRevision: number, text: string, memo: unknown) {
    this.key = key
    this.revision = revision
    this.createRevision = createRevision
    this.memo = memo
    this.#kept = text
    this.#pattern = undefined
  }

  get text(): string {
    return this.#pattern ? this.#pattern.fill(this.#kept) : this.#kept
  }

  /** How many characters it holds. */
  get keptLength(): number {
    return this.#kept.length
  }

  /** Once: a text that is like no other so far stays as it is. */
  pack(packing: TextPacking): void {
    if (this.#pattern !== undefined) return
    const packed = packing.pack(this.key.slice(0, this.key.indexOf('/') + 1), this.#kept)
    this.#pattern = packed?.pattern ?? null
    if (packed !== undefined) this.#kept = packed.values
  }

  mayHave(part: string): boolean {
    return this.#pattern ? this.#pattern.mayHave(this.#kept, part) : this.#kept.includes(part)
  }
}

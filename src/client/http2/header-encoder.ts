// Writes header blocks (HPACK, RFC 7541). Headers that all requests share are sent once and referred to later; those of one
// request, such as its path, are not added to the table.
import type { ByteWriter } from './byte-writer.ts'
import { DynamicTable, defaultTableBytes, type Header, staticTable } from './header-table.ts'

const staticNames = new Map<string, number>()
const staticHeaders = new Map<Header, number>()
for (const [index, header] of staticTable.entries()) {
  if (!staticNames.has(header.name)) staticNames.set(header.name, index + 1)
  staticHeaders.set(header, index + 1)
}

export class HeaderEncoder {
  readonly #table = new DynamicTable()
  /** By identity: how many headers were added to the table before this one. */
  readonly #addedAt = new Map<Header, number>()
  #added = 0
  #tableBytes = defaultTableBytes
  /** The smallest size since the last block, if it changed. */
  #smallest: number | undefined

  /** The other side's limit for the table. */
  limit(bytes: number): void {
    const next = Math.min(bytes, defaultTableBytes)
    if (next === this.#tableBytes) return
    this.#smallest = Math.min(this.#smallest ?? next, next)
    this.#tableBytes = next
    this.#table.resize(this.#smallest)
    this.#table.resize(next)
  }

  /** Must be called before the headers of each block. */
  begin(out: ByteWriter): void {
    if (this.#smallest === undefined) return
    integer(out, 0x20, 5, this.#smallest)
    if (this.#smallest !== this.#tableBytes) integer(out, 0x20, 5, this.#tableBytes)
    this.#smallest = undefined
  }

  /** Writes a header that many requests share as one object (`headerOf`). */
  common(out: ByteWriter, header: Header): void {
    const index = this.#indexOf(header)
    if (index > 0) {
      integer(out, 0x80, 7, index)
      return
    }
    const isAdded = this.#table.fits(header)
    literal(out, isAdded ? 0x40 : 0, isAdded ? 6 : 4, header.name, header.value)
    if (!isAdded) return
    this.#table.add(header)
    // Headers that the table has evicted are still in this map: forget all when there are too many.
    if (this.#addedAt.size > 4 * this.#table.length + 64) this.#addedAt.clear()
    this.#addedAt.set(header, this.#added++)
  }

  /** Writes a header of this request alone. */
  own(out: ByteWriter, name: string, value: string): void {
    literal(out, 0, 4, name, value)
  }

  /** 0: the header is in no table. */
  #indexOf(header: Header): number {
    const addedAt = this.#addedAt.get(header)
    if (addedAt !== undefined) {
      const age = this.#added - 1 - addedAt
      return age < this.#table.length ? staticTable.length + 1 + age : 0
    }
    return staticHeaders.get(header) ?? 0
  }
}

function literal(out: ByteWriter, pattern: number, prefixBits: number, name: string, value: string): void {
  const index = staticNames.get(name) ?? 0
  integer(out, pattern, prefixBits, index)
  if (index === 0) text(out, name)
  text(out, value)
}

function text(out: ByteWriter, value: string): void {
  integer(out, 0, 7, value.length)
  out.latin1(value)
}

function integer(out: ByteWriter, pattern: number, prefixBits: number, value: number): void {
  const max = (1 << prefixBits) - 1
  if (value < max) {
    out.byte(pattern | value)
    return
  }
  out.byte(pattern | max)
  let rest = value - max
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.byte((rest & 0x7f) | 0x80)
  out.byte(rest)
}

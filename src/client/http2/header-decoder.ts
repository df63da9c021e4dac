// Reads header blocks (HPACK, RFC 7541). A connection has one decoder: blocks refer to headers of earlier blocks, so every block
// has to be read, also that of a cancelled request.
import { DynamicTable, defaultTableBytes, type Header, staticTable } from './header-table.ts'
import { decodeHuffman } from './huffman.ts'

/** The limit for all names and values of one block. */
const maxListBytes = 262_144

export class HeaderDecoder {
  readonly #table = new DynamicTable()
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  /** Throws if the block is not valid; the connection cannot be used any more. */
  decode(block: Buffer): Header[] {
    this.#bytes = block
    this.#at = 0
    const headers: Header[] = []
    let listBytes = 0
    while (this.#at < block.length) {
      const first = block[this.#at]!
      if ((first & 0xe0) === 0x20) {
        if (headers.length > 0) throw new Error('a header block changes the size of its table too late')
        this.#resize()
        continue
      }
      const header = first >= 0x80 ? this.#entry(this.#integer(7)) : this.#literal(first)
      listBytes += header.name.length + header.value.length
      if (listBytes > maxListBytes) throw new Error('the response has headers that are too long')
      headers.push(header)
    }
    return headers
  }

  #literal(first: number): Header {
    const isAdded = first >= 0x40
    const index = this.#integer(isAdded ? 6 : 4)
    const name = index === 0 ? this.#string() : this.#entry(index).name
    const header = { name, value: this.#string() }
    if (isAdded) this.#table.add(header)
    return header
  }

  #resize(): void {
    const bytes = this.#integer(5)
    if (bytes > defaultTableBytes) throw new Error(`a header block asks for a table of ${bytes} bytes`)
    this.#table.resize(bytes)
  }

  #entry(index: number): Header {
    const entry = index <= staticTable.length ? staticTable[index - 1] : this.#table.at(index - staticTable.length - 1)
    if (entry === undefined) throw new Error(`a header block has the index ${index}, which its table does not have`)
    return entry
  }

  #integer(prefixBits: number): number {
    const max = (1 << prefixBits) - 1
    let value = this.#byte() & max
    if (value < max) return value
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte()
      value += (byte & 0x7f) * factor
      if (value > 0xffff_ffff) throw new Error('a header block has a number that is too large')
      if (byte < 0x80) return value
      if (factor > 0xffff_ffff) throw new Error('a header block has a number that is too long')
    }
  }

  #string(): string {
    const isHuffman = this.#at < this.#bytes.length && this.#bytes[this.#at]! >= 0x80
    const length = this.#integer(7)
    const from = this.#at
    if (from + length > this.#bytes.length) throw new Error('a header block ends within a header')
    this.#at += length
    return isHuffman ? decodeHuffman(this.#bytes, from, this.#at) : this.#bytes.toString('latin1', from, this.#at)
  }

  #byte(): number {
    if (this.#at === this.#bytes.length) throw new Error('a header block ends within a header')
    return this.#bytes[this.#at++]!
  }
}

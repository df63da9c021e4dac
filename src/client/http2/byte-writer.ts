// Bytes that are gathered for one write to a socket. Two buffers take turns: one is filled while the other is being written.

const minBytes = 16_384
/** A larger buffer is not reused. */
const maxKeptBytes = 262_144

export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(minBytes)
  #other = Buffer.allocUnsafeSlow(minBytes)
  #length = 0

  get length(): number {
    return this.#length
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  uint32(value: number): void {
    this.#reserve(4)
    this.#length = this.#bytes.writeUInt32BE(value, this.#length)
  }

  latin1(text: string): void {
    this.#reserve(text.length)
    this.#length += this.#bytes.write(text, this.#length, 'latin1')
  }

  /** `length`: in bytes. */
  utf8(text: string, length: number): void {
    this.#reserve(length)
    this.#length += this.#bytes.write(text, this.#length, 'utf8')
  }

  bytes(more: Buffer, from = 0, to = more.length): void {
    this.#reserve(to - from)
    this.#length += more.copy(this.#bytes, this.#length, from, to)
  }

  /** Replaces the four bytes at `at`, which were written before. */
  setUint32(at: number, value: number): void {
    this.#bytes.writeUInt32BE(value, at)
  }

  /** Removes the bytes from `at` on, and returns a copy of them. */
  cut(at: number): Buffer {
    const bytes = Buffer.from(this.#bytes.subarray(at, this.#length))
    this.#length = at
    return bytes
  }

  /** Returns all bytes and starts anew. They are valid until the next call. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length)
    const next = this.#other
    this.#other = this.#bytes.length > maxKeptBytes ? Buffer.allocUnsafeSlow(minBytes) : this.#bytes
    this.#bytes = next
    this.#length = 0
    return taken
  }

  #reserve(count: number): void {
    const length = this.#length + count
    if (length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

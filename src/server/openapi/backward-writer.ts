// Ours: protobuf is written from its end, so that lengths are known.
/** Writes protobuf from the end to the start: what a length counts is there before the length is written, and nothing is copied. */
export class BackwardWriter {
  #buffer = Buffer.allocUnsafe(64 * 1024)
  #start = this.#buffer.length

  take(): Buffer {
    return Buffer.from(this.#buffer.subarray(this.#start))
  }

  text(value: string): void {
    const length = Buffer.byteLength(value)
    this.#reserve(length)
    this.#start -= length
    this.#buffer.write(value, this.#start)
    this.varint(length)
  }

  delimited(write: () => void): void {
    const before = this.#length
    write()
    this.varint(this.#length - before)
  }

  /** An integer of up to 64 bits; a negative one as its two's complement. */
  varint(value: number): void {
    this.#reserve(10)
    const bytes: number[] = []
    if (value >= 0 && value < 2 ** 32) for (let rest = value; rest > 0; rest = Math.floor(rest / 128)) bytes.push(rest % 128)
    else for (let rest = BigInt.asUintN(64, BigInt(value)); rest > 0n; rest >>= 7n) bytes.push(Number(rest & 127n))
    if (bytes.length === 0) bytes.push(0)
    this.#start -= bytes.length
    bytes.forEach((byte, i) => {
      this.#buffer[this.#start + i] = i < bytes.length - 1 ? byte | 128 : byte
    })
  }

  double(value: number): void {
    this.#reserve(8)
    this.#start -= 8
    this.#buffer.writeDoubleLE(value, this.#start)
  }

  get #length(): number {
    return this.#buffer.length - this.#start
  }

  #reserve(bytes: number): void {
    if (this.#start >= bytes) return
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes))
    const start = grown.length - this.#length
    this.#buffer.copy(grown, start, this.#start)
    this.#buffer = grown
    this.#start = start
  }
}

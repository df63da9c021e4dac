// Sends the bodies of requests within the flow-control windows of the server: one for each stream, and one for the connection.
import type { ByteWriter } from './byte-writer.ts'
import { defaultWindowBytes, errorCode, frameFlag, frameType, maxWindowBytes, ProtocolError, writeFrameHead } from './frames.ts'

interface UnsentBody {
  readonly bytes: Buffer
  sent: number
  window: number
}

export class RequestBodies {
  #connectionWindow = defaultWindowBytes
  /** The window of a new stream. */
  #initialWindow = defaultWindowBytes
  /** By stream. No window is kept for a stream whose body was sent. */
  readonly #unsent = new Map<number, UnsentBody>()

  get isEmpty(): boolean {
    return this.#unsent.size === 0
  }

  has(id: number): boolean {
    return this.#unsent.has(id)
  }

  remove(id: number): void {
    this.#unsent.delete(id)
  }

  /** Writes what may be sent now, and keeps the rest. `length` is that of the body in UTF-8. */
  send(out: ByteWriter, id: number, body: string, length: number, maxFrameBytes: number): void {
    if (length <= maxFrameBytes && length <= this.#connectionWindow && length <= this.#initialWindow) {
      this.#connectionWindow -= length
      writeFrameHead(out, length, frameType.data, frameFlag.endStream, id)
      out.utf8(body, length)
      return
    }
    const unsent = { bytes: Buffer.from(body), sent: 0, window: this.#initialWindow }
    this.#unsent.set(id, unsent)
    this.#write(out, id, unsent, maxFrameBytes, Number.POSITIVE_INFINITY)
  }

  /** Continues with unsent bodies, until `out` has `maxBytes`. Calls `mayContinue` before it writes to a stream. */
  write(out: ByteWriter, maxFrameBytes: number, maxBytes: number, mayContinue: (id: number) => boolean): void {
    for (const [id, unsent] of this.#unsent) {
      if (out.length >= maxBytes || this.#connectionWindow <= 0) return
      if (unsent.window > 0 && mayContinue(id)) this.#write(out, id, unsent, maxFrameBytes, maxBytes)
    }
  }

  setInitialWindow(bytes: number): void {
    const change = bytes - this.#initialWindow
    this.#initialWindow = bytes
    for (const unsent of this.#unsent.values()) unsent.window = extended(unsent.window, change)
  }

  /** `id` 0 is the connection. */
  extendWindow(id: number, bytes: number): void {
    if (bytes === 0) throw new ProtocolError('the server extends a window by nothing')
    if (id === 0) this.#connectionWindow = extended(this.#connectionWindow, bytes)
    else {
      const unsent = this.#unsent.get(id)
      if (unsent !== undefined) unsent.window = extended(unsent.window, bytes)
    }
  }

  #write(out: ByteWriter, id: number, unsent: UnsentBody, maxFrameBytes: number, maxBytes: number): void {
    const { bytes } = unsent
    while (unsent.sent < bytes.length && out.length < maxBytes) {
      const count = Math.min(bytes.length - unsent.sent, unsent.window, this.#connectionWindow, maxFrameBytes)
      if (count <= 0) return
      const end = unsent.sent + count
      writeFrameHead(out, count, frameType.data, end === bytes.length ? frameFlag.endStream : 0, id)
      out.bytes(bytes, unsent.sent, end)
      unsent.sent = end
      unsent.window -= count
      this.#connectionWindow -= count
    }
    if (unsent.sent === bytes.length) this.#unsent.delete(id)
  }
}

function extended(window: number, bytes: number): number {
  if (window + bytes > maxWindowBytes) throw new ProtocolError('the server gives a window that is too large', errorCode.flowControl)
  return window + bytes
}

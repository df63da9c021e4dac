// The flow-control windows for what the server sends. Bytes are consumed as they arrive, so that each window only has to be kept open.

/** How much the server may send before it has to wait for an update, as in client-go. */
export const streamWindowBytes = 4 * 1024 * 1024
export const connectionWindowBytes = 1024 * 1024 * 1024

export class ReceiveWindows {
  readonly #extend: (stream: number, bytes: number) => void
  #unreported = 0

  /** `extend` sends a window update; stream 0 is the connection. */
  constructor(extend: (stream: number, bytes: number) => void) {
    this.#extend = extend
  }

  /** Gives the server room for as much again, once half of a window is used. */
  consume(length: number, stream: { readonly id: number; unreported: number } | undefined): void {
    this.#unreported += length
    if (this.#unreported >= connectionWindowBytes / 2) {
      this.#extend(0, this.#unreported)
      this.#unreported = 0
    }
    if (stream === undefined) return
    stream.unreported += length
    if (stream.unreported < streamWindowBytes / 2) return
    this.#extend(stream.id, stream.unreported)
    stream.unreported = 0
  }
}

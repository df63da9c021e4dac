// A request whose response is read while it arrives, until one side ends it.
import type { ConnectionPool } from './connection-pool.ts'
import { type Cancel, type Exchange, errorOf, type HttpRequest } from './exchange.ts'

/** A Status is shorter. */
const maxFailurePieces = 16

export class StreamExchange implements Exchange {
  readonly request: HttpRequest
  readonly #onBytes: (bytes: Buffer) => void
  readonly #onEnd: (error?: Error) => void
  #cancel: Cancel = () => {}
  #isEnded = false
  #status = 0
  /** The body of a response other than 200. */
  readonly #failure: Buffer[] = []

  constructor(request: HttpRequest, onBytes: (bytes: Buffer) => void, onEnd: (error?: Error) => void) {
    this.request = request
    this.#onBytes = onBytes
    this.#onEnd = onEnd
  }

  start(pool: ConnectionPool): void {
    this.#cancel = pool.start(this, true)
  }

  /** `onEnd` is not called any more. */
  cancel(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#cancel()
  }

  onHead(status: number): void {
    this.#status = status
  }

  // A chunk is handled before the next one is read: a slow reader slows the sender down.
  onBody(bytes: Buffer): void {
    if (this.#isEnded) return
    if (this.#status !== 200) {
      if (this.#failure.length < maxFailurePieces) this.#failure.push(bytes)
      return
    }
    try {
      this.#onBytes(bytes)
    } catch (error) {
      this.cancel()
      this.#onEnd(error as Error)
    }
  }

  onEnd(): void {
    this.#end(this.#status === 200 ? undefined : errorOf(this.#status, Buffer.concat(this.#failure).toString()))
  }

  onError(error: Error): void {
    this.#end(error)
  }

  #end(error: Error | undefined): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#onEnd(error)
  }
}

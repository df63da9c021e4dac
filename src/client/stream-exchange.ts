// A request whose response is read while it arrives, until one side ends it.
import type { ConnectionPool } from './connection-pool.ts'
import type { Exchange, HttpRequest, ResponseHead, ServerConnection } from './exchange.ts'
import { errorOf } from './response-error.ts'

/** Each has 64 KiB at most. A Status is shorter. */
const maxFailurePieces = 16

export class StreamExchange implements Exchange {
  readonly #pool: ConnectionPool
  readonly #request: HttpRequest
  readonly #onBytes: (bytes: Buffer) => void
  readonly #onEnd: (error?: Error) => void
  #connection: ServerConnection | undefined
  #isEnded = false
  #status = 0
  /** The body of a response other than 200. */
  readonly #failure: Buffer[] = []

  constructor(pool: ConnectionPool, request: HttpRequest, onBytes: (bytes: Buffer) => void, onEnd: (error?: Error) => void) {
    this.#pool = pool
    this.#request = request
    this.#onBytes = onBytes
    this.#onEnd = onEnd
  }

  /** `onEnd` is not called any more. */
  cancel(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    if (this.#connection === undefined) this.#pool.remove(this)
    else this.#connection.cancel(this)
  }

  onAssigned(connection: ServerConnection): void {
    this.#connection = connection
  }

  request(): HttpRequest {
    return this.#request
  }

  onHead({ status }: ResponseHead): void {
    this.#status = status
  }

  // A chunk is handled before the next one is read: a slow reader slows the sender down.
  onBody(bytes: Buffer): void {
    if (this.#isEnded) return
    if (this.#status !== 200) {
      if (this.#failure.length < maxFailurePieces) this.#failure.push(Buffer.from(bytes))
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

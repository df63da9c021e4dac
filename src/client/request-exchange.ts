// A request whose response is awaited as a whole: limited, timed, and sent again where the server has not acted on it.
import { constants } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { CancelTimer, Clock } from '../base/clock.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { type Cancel, type Exchange, errorOf, type HttpRequest, isRefusedByBudget } from './exchange.ts'
import type { RateLimiter } from './rate-limiter.ts'

export interface RequestContext {
  readonly pool: ConnectionPool
  readonly clock: Clock
  readonly requestMs: number
  readonly limiter?: RateLimiter
  beforeSend?(method: HttpRequest['method']): void
  onResponse?(method: HttpRequest['method'], code: number, durationMs: number): void
}

/** How the body of a successful response is returned. */
export type BodyForm = 'json' | 'text' | 'ignored'

/** The limit of retries that a busy server asks for with Retry-After. */
const maxRetries = 10
/** The limit of repetitions after a lost connection, if the server has not acted on the request. */
const maxRepeats = 3

/** V8 has no longer strings. */
const maxResponseBytes = constants.MAX_STRING_LENGTH

export class RequestExchange implements Exchange {
  readonly #context: RequestContext
  readonly request: HttpRequest
  readonly #form: BodyForm
  readonly #resolve: (body: unknown) => void
  readonly #reject: (error: unknown) => void
  #cancel: Cancel = () => {}
  #cancelDeadline: CancelTimer = () => {}
  #startedAtMs = 0
  #repeats = 0
  #retries = 0
  #status = 0
  #retryAfter: string | undefined
  /** The length of the body so far. */
  #bytes = 0
  #parts: Buffer[] = []

  constructor(
    context: RequestContext,
    request: HttpRequest,
    form: BodyForm,
    resolve: (body: unknown) => void,
    reject: (error: unknown) => void,
  ) {
    this.#context = context
    this.request = request
    this.#form = form
    this.#resolve = resolve
    this.#reject = reject
  }

  send(): void {
    const { limiter } = this.#context
    if (limiter === undefined) this.#start()
    else limiter.acquire().then(() => this.#start(), this.#reject)
  }

  beforeWrite(): void {
    this.#context.beforeSend?.(this.request.method)
  }

  onWritten(): void {
    this.#context.beforeSend?.(this.request.method)
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#retryAfter = headers['retry-after']
  }

  onBody(bytes: Buffer): void {
    if (this.#form === 'ignored' && isSuccess(this.#status)) return
    this.#bytes += bytes.length
    // The rest of a longer response is discarded as it arrives, until the response ends or its time is over.
    if (this.#bytes > maxResponseBytes) this.#parts = []
    else this.#parts.push(bytes)
  }

  onEnd(): void {
    this.#finish(this.#status)
    try {
      if (this.#bytes > maxResponseBytes) throw new Error(`the response is larger than ${maxResponseBytes} bytes`)
      // Decoded as a whole: a character may be split between two parts.
      const text = (this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)).toString('utf8')
      if (!isSuccess(this.#status)) this.#refuse(text)
      else this.#resolve(this.#form === 'json' ? JSON.parse(text) : text)
    } catch (error) {
      this.#reject(error)
    }
  }

  onError(error: Error, repeatable?: 'any' | 'read'): void {
    this.#finish(0)
    const isRepeatable = repeatable === 'any' || (repeatable === 'read' && this.request.method === 'GET')
    if (isRepeatable && this.#repeats++ < maxRepeats) this.send()
    else this.#reject(error)
  }

  #start(): void {
    const { pool, clock, requestMs, beforeSend } = this.#context
    try {
      beforeSend?.(this.request.method)
    } catch (error) {
      this.#reject(error)
      return
    }
    this.#bytes = 0
    this.#parts = []
    this.#startedAtMs = clock.now()
    this.#cancelDeadline = clock.after(requestMs, () => this.#timeOut())
    this.#cancel = pool.start(this)
  }

  #timeOut(): void {
    this.#cancel()
    this.#finish(0)
    this.#reject(new Error(`the server did not answer within ${this.#context.requestMs / 1000} seconds`))
  }

  #finish(status: number): void {
    const { clock, onResponse } = this.#context
    this.#cancelDeadline()
    onResponse?.(this.request.method, status, clock.now() - this.#startedAtMs)
  }

  /** Tries again when the server asks for it with Retry-After. */
  #refuse(text: string): void {
    const status = this.#status
    const error = errorOf(status, text)
    const seconds = Number(this.#retryAfter)
    const mayRetry = (status === 429 || status === 503) && this.#retryAfter !== undefined && Number.isFinite(seconds)
    if (!mayRetry || this.#retries++ >= maxRetries || isRefusedByBudget(error)) {
      this.#reject(error)
      return
    }
    this.#context.clock.after(Math.max(seconds, 0.1) * 1000, () => this.send())
  }
}

const isSuccess = (status: number) => status >= 200 && status < 300

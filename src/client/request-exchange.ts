// A request whose response is awaited as a whole: limited, timed, and sent again where the server has not acted on it.
import { constants } from 'node:buffer'
import type { Clock } from '../base/clock.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { Deadlines } from './deadlines.ts'
import type { Exchange, HttpRequest, ResponseHead, ServerConnection } from './exchange.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { errorOf, isRefusedByBudget } from './response-error.ts'

export interface RequestContext {
  readonly pool: ConnectionPool
  readonly clock: Clock
  readonly deadlines: Deadlines
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
  readonly #request: HttpRequest
  readonly #form: BodyForm
  readonly #resolve: (body: unknown) => void
  readonly #reject: (error: unknown) => void
  #connection: ServerConnection | undefined
  #startedAtMs = 0
  #repeats = 0
  #retries = 0
  #head: ResponseHead | undefined
  #text = ''
  /** The length of the body so far. */
  #bytes = 0
  #parts: Buffer[] | undefined

  constructor(
    context: RequestContext,
    request: HttpRequest,
    form: BodyForm,
    resolve: (body: unknown) => void,
    reject: (error: unknown) => void,
  ) {
    this.#context = context
    this.#request = request
    this.#form = form
    this.#resolve = resolve
    this.#reject = reject
  }

  send(): void {
    const { limiter } = this.#context
    if (limiter === undefined) this.#start()
    else limiter.acquire().then(() => this.#start(), this.#reject)
  }

  onAssigned(connection: ServerConnection): void {
    this.#connection = connection
  }

  request(): HttpRequest {
    this.#context.beforeSend?.(this.#request.method)
    return this.#request
  }

  beforePart(): void {
    this.#context.beforeSend?.(this.#request.method)
  }

  onWritten(): void {
    this.#context.beforeSend?.(this.#request.method)
  }

  onHead(head: ResponseHead): void {
    this.#head = head
  }

  onBody(bytes: Buffer, isWhole: boolean): void {
    if (this.#form === 'ignored' && isSuccess(this.#head!)) return
    this.#bytes += bytes.length
    if (this.#bytes > maxResponseBytes) {
      // The rest is discarded as it arrives, until the response ends or its time is over.
      this.#parts = undefined
      return
    }
    // Most responses arrive in one piece. Others are decoded as a whole: a character may be split between two pieces.
    if (isWhole) this.#text = bytes.toString('utf8')
    else if (this.#parts === undefined) this.#parts = [Buffer.from(bytes)]
    else this.#parts.push(Buffer.from(bytes))
  }

  onEnd(): void {
    const head = this.#head!
    this.#finish(head.status)
    try {
      if (this.#bytes > maxResponseBytes) throw new Error(`the response is larger than ${maxResponseBytes} bytes`)
      const text = this.#parts === undefined ? this.#text : Buffer.concat(this.#parts).toString('utf8')
      if (!isSuccess(head)) this.#refuse(head, text)
      else this.#resolve(this.#form === 'json' ? JSON.parse(text) : text)
    } catch (error) {
      this.#reject(error)
    }
  }

  onError(error: Error, repeatable?: 'any' | 'read'): void {
    this.#finish(0)
    const isRepeatable = repeatable === 'any' || (repeatable === 'read' && this.#request.method === 'GET')
    if (isRepeatable && this.#repeats++ < maxRepeats) this.send()
    else this.#reject(error)
  }

  timeOut(timeoutMs: number): void {
    if (this.#connection === undefined) this.#context.pool.remove(this)
    else this.#connection.cancel(this)
    this.#finish(0)
    this.#reject(new Error(`the server did not answer within ${timeoutMs / 1000} seconds`))
  }

  #start(): void {
    const { pool, clock, deadlines, beforeSend } = this.#context
    try {
      beforeSend?.(this.#request.method)
    } catch (error) {
      this.#reject(error)
      return
    }
    this.#connection = undefined
    this.#head = undefined
    this.#text = ''
    this.#parts = undefined
    this.#bytes = 0
    this.#startedAtMs = clock.now()
    deadlines.add(this)
    pool.start(this)
  }

  #finish(status: number): void {
    const { clock, deadlines, onResponse } = this.#context
    deadlines.remove(this)
    onResponse?.(this.#request.method, status, clock.now() - this.#startedAtMs)
  }

  /** Tries again when the server asks for it with Retry-After. */
  #refuse(head: ResponseHead, text: string): void {
    const { status } = head
    const error = errorOf(status, text)
    const retryAfter = head.header('retry-after')
    const seconds = Number(retryAfter)
    const mayRetry = (status === 429 || status === 503) && retryAfter !== undefined && Number.isFinite(seconds)
    if (!mayRetry || this.#retries++ >= maxRetries || isRefusedByBudget(error)) {
      this.#reject(error)
      return
    }
    this.#context.clock.after(Math.max(seconds, 0.1) * 1000, () => this.send())
  }
}

const isSuccess = ({ status }: ResponseHead) => status >= 200 && status < 300

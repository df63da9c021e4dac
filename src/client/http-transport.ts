// Sends HTTP/1.1 requests over persistent connections. Knows paths and bodies, but no kinds.
//
// Node's own client takes a third of the CPU time of a busy controller, and does not report when it writes.
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { failure, StatusError } from '../api/machinery/status-error.ts'
import type { Status } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Connection } from './connection.ts'
import { ConnectionPool } from './connection-pool.ts'
import { type Endpoint, HttpConnection } from './http-connection.ts'
import type { ResponseHead } from './http-response.ts'
import type { RateLimiter } from './rate-limiter.ts'

interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly body?: string
  readonly contentType?: string
}

export interface HttpTransportOptions {
  readonly connection: Connection
  readonly clock: Clock
  /** In the User-Agent header. */
  readonly name: string
  /** Timeout of requests other than watches. */
  readonly requestMs?: number
  /** Maximum of open connections, those of watches aside. */
  readonly connections?: number
  /** Limits the rate of requests other than watches. */
  readonly limiter?: RateLimiter
  /**
   * Called before each request waits for a connection, and again immediately before its bytes are written: time may have
   * passed. If it throws, nothing is sent and the caller gets the error. Called once more when the bytes were written: a process
   * may have been suspended in between. If it throws then, the connection is closed, so that the server aborts the request.
   */
  beforeSend?(method: HttpRequest['method']): void
  /** Called after each response, with code 0 for a request without one. */
  onAnswer?(method: HttpRequest['method'], code: number, durationMs: number): void
}

/** For a server that is too busy. */
const maxRetries = 10

interface Answer {
  readonly head: ResponseHead
  readonly text: string
}

export class HttpTransport {
  readonly #options: HttpTransportOptions
  readonly #base: URL
  readonly #endpoint: Endpoint
  readonly #pool: ConnectionPool
  readonly #streams = new Set<HttpConnection>()
  /** Those that every request has. */
  readonly #headers: string
  #isClosed = false

  constructor(options: HttpTransportOptions) {
    const { connection, connections = 32, name } = options
    this.#options = options
    this.#base = new URL(connection.server)
    this.#endpoint = endpointOf(connection, this.#base)
    this.#pool = new ConnectionPool(this.#endpoint, connections)
    this.#headers = headerLines({ host: this.#base.host, accept: 'application/json', 'user-agent': name, ...impersonation(connection) })
  }

  /** Resolves to the body of the response. Throws a StatusError for a rejected request. Waits and retries when the server sends Retry-After. */
  async send(request: HttpRequest): Promise<string> {
    for (let retries = 0; ; retries++) {
      const { head, text } = await this.#exchange(request, retries === 0)
      const { status } = head
      if (status >= 200 && status < 300) return text
      const error = errorOf(status, text)
      const retryAfter = head.header('retry-after')
      const seconds = Number(retryAfter)
      const mayRetry = (status === 429 || status === 503) && retryAfter !== undefined && Number.isFinite(seconds) && retries < maxRetries
      if (!mayRetry || isRefusedByBudget(error)) throw error
      await this.#wait(Math.max(seconds, 0.1) * 1000)
    }
  }

  /** Opens a stream; `onBytes` is called with each chunk, which is valid during the call only. Returns a function that ends it. */
  stream(path: string, onBytes: (bytes: Buffer) => void, onEnd: (error?: Error) => void): () => void {
    let isEnded = false
    let connection: HttpConnection | undefined
    const end = (error?: Error) => {
      if (isEnded) return
      isEnded = true
      connection?.destroy()
      onEnd(error)
    }
    try {
      const payload = this.#serialize({ method: 'GET', path })
      connection = new HttpConnection(this.#endpoint, {
        onIdle: (idle) => idle.destroy(),
        onClosed: (closed) => this.#streams.delete(closed),
      })
      this.#streams.add(connection)
      const failureParts: Buffer[] = []
      let status = 0
      connection.start({
        payload: () => payload,
        onHead: (head) => {
          status = head.status
        },
        // A chunk is handled before the next one is read: a slow reader slows the sender down.
        onBody: (bytes) => {
          if (isEnded) return
          if (status !== 200) {
            failureParts.push(Buffer.from(bytes))
            return
          }
          try {
            onBytes(bytes)
          } catch (error) {
            end(error as Error)
          }
        },
        onEnd: () => end(status === 200 ? undefined : errorOf(status, Buffer.concat(failureParts).toString())),
        onError: end,
      })
    } catch (error) {
      queueMicrotask(() => end(error as Error))
    }
    return () => {
      isEnded = true
      connection?.destroy()
    }
  }

  close(): void {
    this.#isClosed = true
    this.#pool.close()
    for (const connection of [...this.#streams]) connection.destroy()
  }

  /** A GET on a kept connection that the server closed at that moment is sent once more: it changes nothing. */
  async #exchange(request: HttpRequest, isFirst: boolean): Promise<Answer> {
    const { clock, limiter, beforeSend, onAnswer } = this.#options
    await limiter?.acquire()
    beforeSend?.(request.method)
    const startedAtMs = clock.now()
    const used: { connection?: HttpConnection; isReused?: boolean } = {}
    try {
      const answer = await this.#answer(request, used)
      onAnswer?.(request.method, answer.head.status, clock.now() - startedAtMs)
      return answer
    } catch (error) {
      onAnswer?.(request.method, 0, clock.now() - startedAtMs)
      const isStale = used.isReused && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
      if (!isStale || request.method !== 'GET' || !isFirst) throw error
      return this.#exchange(request, false)
    }
  }

  #answer(request: HttpRequest, used: { connection?: HttpConnection; isReused?: boolean }): Promise<Answer> {
    const { clock, requestMs = 60_000, beforeSend } = this.#options
    const payload = this.#serialize(request)
    return new Promise((resolve, reject) => {
      let isSettled = false
      const settle = (finish: () => void) => {
        if (isSettled) return
        isSettled = true
        cancel()
        finish()
      }
      const cancel = clock.after(requestMs, () => {
        const error = new Error(`the server did not answer within ${requestMs / 1000} seconds`)
        settle(() => reject(error))
        used.connection?.destroy(error)
      })
      let head: ResponseHead | undefined
      let text = ''
      const parts: Buffer[] = []
      this.#pool.start(
        {
          payload() {
            if (isSettled) throw new Error('the request has timed out')
            beforeSend?.(request.method)
            return payload
          },
          onWritten: () => beforeSend?.(request.method),
          onHead: (received) => {
            head = received
          },
          onBody(bytes) {
            // Most responses arrive in one piece. Others are decoded as a whole: a character may be split between two pieces.
            if (Number(head!.header('content-length')) === bytes.length) text = bytes.toString('utf8')
            else parts.push(Buffer.from(bytes))
          },
          onEnd: () => settle(() => resolve({ head: head!, text: parts.length === 0 ? text : Buffer.concat(parts).toString('utf8') })),
          onError: (error) => settle(() => reject(error)),
        },
        (connection) => {
          used.connection = connection
          used.isReused = connection.isReused
        },
      )
    })
  }

  #serialize({ method, path, body, contentType = 'application/json' }: HttpRequest): string {
    if (this.#isClosed) throw new Error(`Cannot send ${method} ${path}: the client is closed`)
    const prefix = this.#base.pathname === '/' ? '' : this.#base.pathname
    const content = body === undefined ? '' : `content-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    return `${method} ${prefix}${path} HTTP/1.1\r\n${this.#headers}${authorization(this.#options.connection)}${content}\r\n${body ?? ''}`
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(ms, resolve))
  }
}

function endpointOf(connection: Connection, base: URL): Endpoint {
  const host = base.hostname.replace(/^\[|\]$/g, '')
  if (base.protocol !== 'https:') return { host, port: Number(base.port || 80) }
  const { certificateAuthority, clientCertificate, clientKey, skipTlsVerify = false, tlsServerName } = connection
  // An address is not a server name.
  const serverName = tlsServerName ?? (isIP(host) === 0 ? host : undefined)
  return {
    host,
    port: Number(base.port || 443),
    tls: {
      context: createSecureContext({
        // The machine's authorities are not read where nothing is verified: they take 10 MB.
        ...(certificateAuthority !== undefined ? { ca: certificateAuthority } : skipTlsVerify && { ca: [] }),
        ...(clientCertificate !== undefined && { cert: clientCertificate }),
        ...(clientKey !== undefined && { key: clientKey }),
      }),
      ...(serverName !== undefined && { serverName }),
      skipVerify: skipTlsVerify,
      session: undefined,
    },
  }
}

function authorization({ token, basic }: Connection): string {
  if (token !== undefined) return headerLines({ authorization: `Bearer ${token()}` })
  if (basic === undefined) return ''
  return headerLines({ authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` })
}

/** Throws for a value that would end its line. */
function headerLines(headers: Readonly<Record<string, string | readonly string[]>>): string {
  let lines = ''
  for (const [name, values] of Object.entries(headers))
    for (const value of typeof values === 'string' ? [values] : values) {
      if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) throw new Error(`the value of the header ${name} has a character that HTTP does not allow`)
      lines += `${name}: ${value}\r\n`
    }
  return lines
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/** The Status in the response; for other bodies, as proxies send them, a Status is made from the code. */
function errorOf(code: number, text: string): StatusError {
  try {
    const status = JSON.parse(text) as Status
    if (status?.kind === 'Status') return new StatusError({ ...status, code: status.code ?? code })
  } catch {}
  return failure(code, reasons[code] ?? '', text.trim().slice(0, 2048) || `the server responded with the status code ${code}`)
}

/** An eviction that a disruption budget forbids is not retried here: the caller decides when to try again. */
const isRefusedByBudget = ({ status }: StatusError) => status.details?.causes?.some(({ reason }) => reason === 'DisruptionBudget') ?? false

function impersonation({ impersonate }: Connection): Readonly<Record<string, string | readonly string[]>> {
  if (impersonate === undefined) return {}
  const { user, uid, groups = [], extra = {} } = impersonate
  return {
    'impersonate-user': user,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [...values]])),
  }
}

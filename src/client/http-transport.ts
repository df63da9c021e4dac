// Sends HTTP requests over persistent connections. Knows paths and bodies, but no kinds.
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { Clock } from '../base/clock.ts'
import { hostOfUrl } from '../base/url.ts'
import type { Connection } from './connection.ts'
import { ConnectionPool } from './connection-pool.ts'
import type { HttpRequest } from './exchange.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { type BodyForm, type RequestContext, RequestExchange } from './request-exchange.ts'
import { RequestHeaders } from './request-headers.ts'
import type { Endpoint } from './socket.ts'
import { StreamExchange } from './stream-exchange.ts'

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
   * Called before each request waits for a connection, and again immediately before its bytes are written, as time may have
   * passed. If it throws, nothing more is sent and the caller gets the error; a body that was sent in part is aborted.
   * Called once more when the bytes were written, as the process may have been suspended in between. If it throws then, the
   * connection is closed, so that the server aborts the request.
   */
  beforeSend?(method: HttpRequest['method']): void
  /** Called after each response, with code 0 for a request without one. */
  onResponse?(method: HttpRequest['method'], code: number, durationMs: number): void
}

const defaultRequestMs = 60_000

export class HttpTransport {
  readonly #context: RequestContext
  #isClosed = false

  constructor(options: HttpTransportOptions) {
    const { connection, clock, connections = 32, name, requestMs = defaultRequestMs, limiter, beforeSend, onResponse } = options
    const headers = new RequestHeaders(connection, name)
    this.#context = {
      pool: new ConnectionPool({ endpoint: endpointOf(connection), headers, clock, maxConnections: connections }),
      clock,
      requestMs,
      ...(limiter && { limiter }),
      ...(beforeSend && { beforeSend }),
      ...(onResponse && { onResponse }),
    }
  }

  /** Resolves to the body of the response. Throws a StatusError for a rejected request. Waits and retries when the server sends Retry-After. */
  send(request: HttpRequest): Promise<string> {
    return this.#send(request, 'text')
  }

  /** Resolves to the parsed JSON of the body. */
  sendForJson<T>(request: HttpRequest): Promise<T> {
    return this.#send(request, 'json')
  }

  /** The body of a successful response is not read. */
  sendOnly(request: HttpRequest): Promise<void> {
    return this.#send(request, 'ignored')
  }

  /** Opens a stream; `onBytes` is called with each chunk. Returns a function that ends it. */
  stream(path: string, onBytes: (bytes: Buffer) => void, onEnd: (error?: Error) => void): () => void {
    const request: HttpRequest = { method: 'GET', path }
    const stream = new StreamExchange(request, onBytes, onEnd)
    if (this.#isClosed) queueMicrotask(() => stream.onError(closedClient(request)))
    else stream.start(this.#context.pool)
    return () => stream.cancel()
  }

  close(): void {
    this.#isClosed = true
    this.#context.pool.close()
  }

  #send<T>(request: HttpRequest, form: BodyForm): Promise<T> {
    if (this.#isClosed) return Promise.reject(closedClient(request))
    return new Promise((resolve, reject) => {
      new RequestExchange(this.#context, request, form, resolve as (body: unknown) => void, reject).send()
    })
  }
}

const closedClient = ({ method, path }: HttpRequest) => new Error(`Cannot send ${method} ${path}: the client is closed`)

function endpointOf(connection: Connection): Endpoint {
  const base = new URL(connection.server)
  const host = hostOfUrl(base)
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
      protocols: connection.disableHttp2 ? ['http/1.1'] : ['h2', 'http/1.1'],
      session: undefined,
    },
  }
}

// Sends HTTP/1.1 requests over persistent connections. Knows paths and bodies, but no kinds.
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent, request as tlsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { failure, StatusError } from '../api/machinery/status-error.ts'
import type { Status } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Connection } from './connection.ts'
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
   * Called before each request is sent, and again when its connection is ready: a request may have waited for one.
   * If it throws, nothing is sent and the caller gets the error.
   */
  beforeSend?(method: HttpRequest['method']): void
  /** Called after each response, with code 0 for a request without one. */
  onAnswer?(method: HttpRequest['method'], code: number, durationMs: number): void
}

/** For a server that is too busy. */
const maxRetries = 10

export class HttpTransport {
  readonly #options: HttpTransportOptions
  readonly #base: URL
  readonly #agent: Agent | PlainAgent
  readonly #watchAgent: Agent | PlainAgent
  readonly #headers: OutgoingHttpHeaders
  /** Connections on which a request can be sent at once. */
  readonly #ready = new WeakSet<Socket>()
  #isClosed = false

  constructor(options: HttpTransportOptions) {
    const { connection, connections = 32, name } = options
    this.#options = options
    this.#base = new URL(connection.server)
    const tls = {
      ...(connection.certificateAuthority !== undefined && { ca: connection.certificateAuthority }),
      ...(connection.clientCertificate !== undefined && { cert: connection.clientCertificate }),
      ...(connection.clientKey !== undefined && { key: connection.clientKey }),
      ...(connection.skipTlsVerify && { rejectUnauthorized: false }),
      ...(connection.tlsServerName !== undefined && { servername: connection.tlsServerName }),
    }
    // TCP keep-alive detects connections whose other end has vanished.
    const keepAlive = { keepAlive: true, keepAliveMsecs: 15_000, scheduling: 'lifo' as const }
    const isTls = this.#base.protocol === 'https:'
    this.#agent = isTls
      ? new Agent({ ...keepAlive, ...tls, maxSockets: connections })
      : new PlainAgent({ ...keepAlive, maxSockets: connections })
    this.#watchAgent = isTls ? new Agent({ ...keepAlive, ...tls }) : new PlainAgent(keepAlive)
    this.#headers = { accept: 'application/json', 'user-agent': name, ...impersonation(connection) }
  }

  /** Resolves to the body of the response. Throws a StatusError for a rejected request. Waits and retries when the server sends Retry-After. */
  async send(request: HttpRequest): Promise<string> {
    for (let retries = 0; ; retries++) {
      const { response, text } = await this.#exchange(request, retries === 0)
      const { statusCode = 0 } = response
      if (statusCode >= 200 && statusCode < 300) return text
      const error = errorOf(statusCode, text)
      const seconds = Number(response.headers['retry-after'])
      const mayRetry = (statusCode === 429 || statusCode === 503) && Number.isFinite(seconds) && retries < maxRetries
      if (!mayRetry || isRefusedByBudget(error)) throw error
      await this.#wait(Math.max(seconds, 0.1) * 1000)
    }
  }

  /** Opens a stream; `onText` is called with each chunk. Returns a function that ends it. */
  stream(path: string, onText: (text: string) => void, onEnd: (error?: Error) => void): () => void {
    let isEnded = false
    let request: ClientRequest | undefined
    const end = (error?: Error) => {
      if (isEnded) return
      isEnded = true
      request?.destroy()
      onEnd(error)
    }
    try {
      request = this.#open({ method: 'GET', path }, this.#watchAgent)
      request.on('error', end)
      request.on('response', (response) => {
        response.setEncoding('utf8')
        if (response.statusCode !== 200) {
          void readText(response).then((text) => end(errorOf(response.statusCode ?? 0, text)), end)
          return
        }
        // A chunk is handled before the next one is read: a slow reader slows the sender down.
        response.on('data', (text: string) => {
          if (isEnded) return
          try {
            onText(text)
          } catch (error) {
            end(error as Error)
          }
        })
        response.on('end', () => end())
        response.on('aborted', () => end(new Error('the server closed the connection in the middle of a response')))
        response.on('error', end)
      })
      request.end()
    } catch (error) {
      queueMicrotask(() => end(error as Error))
    }
    return () => {
      isEnded = true
      request?.destroy()
    }
  }

  close(): void {
    this.#isClosed = true
    this.#agent.destroy()
    this.#watchAgent.destroy()
  }

  /** A GET on a kept connection that the server closed at that moment is sent once more: it changes nothing. */
  async #exchange(request: HttpRequest, isFirst: boolean): Promise<{ response: IncomingMessage; text: string }> {
    const { clock, limiter, beforeSend, onAnswer } = this.#options
    await limiter?.acquire()
    beforeSend?.(request.method)
    const startedAtMs = clock.now()
    const client = this.#open(request, this.#agent)
    try {
      const answer = await this.#answer(client, request)
      onAnswer?.(request.method, answer.response.statusCode ?? 0, clock.now() - startedAtMs)
      return answer
    } catch (error) {
      onAnswer?.(request.method, 0, clock.now() - startedAtMs)
      const isStale = client.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
      if (!isStale || request.method !== 'GET' || !isFirst) throw error
      return this.#exchange(request, false)
    }
  }

  #answer(client: ClientRequest, { method, body }: HttpRequest): Promise<{ response: IncomingMessage; text: string }> {
    const { clock, requestMs = 60_000, beforeSend } = this.#options
    return new Promise((resolve, reject) => {
      const cancel = clock.after(requestMs, () => client.destroy(new Error(`the server did not answer within ${requestMs / 1000} seconds`)))
      const settle = (finish: () => void) => {
        cancel()
        finish()
      }
      client.on('error', (error) => settle(() => reject(error)))
      client.on('response', (response) => {
        response.setEncoding('utf8')
        readText(response).then(
          (text) => settle(() => resolve({ response, text })),
          (error) => settle(() => reject(error)),
        )
      })
      this.#whenReady(client, () => {
        try {
          beforeSend?.(method)
          client.end(body)
        } catch (error) {
          client.destroy(error as Error)
        }
      })
    })
  }

  /** Nothing of a request is written before it has a connection that is ready, and `send` has run. */
  #whenReady(client: ClientRequest, send: () => void): void {
    client.once('socket', (socket) => {
      if (this.#ready.has(socket)) return send()
      socket.once(this.#base.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        this.#ready.add(socket)
        send()
      })
    })
  }

  #open({ method, path, body, contentType = 'application/json' }: HttpRequest, agent: Agent | PlainAgent): ClientRequest {
    if (this.#isClosed) throw new Error(`Cannot send ${method} ${path}: the client is closed`)
    const { connection } = this.#options
    const headers: OutgoingHttpHeaders = { ...this.#headers }
    const token = connection.token?.()
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    else if (connection.basic !== undefined) {
      const { username, password } = connection.basic
      headers['authorization'] = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    }
    if (body !== undefined) {
      headers['content-type'] = contentType
      headers['content-length'] = Buffer.byteLength(body)
    }
    const open = this.#base.protocol === 'https:' ? tlsRequest : plainRequest
    const prefix = this.#base.pathname === '/' ? '' : this.#base.pathname
    return open({
      protocol: this.#base.protocol,
      hostname: this.#base.hostname.replace(/^\[|\]$/g, ''),
      port: this.#base.port,
      method,
      path: prefix + path,
      headers,
      agent,
    })
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(ms, resolve))
  }
}

function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: string[] = []
    response.on('data', (part: string) => parts.push(part))
    response.on('end', () => resolve(parts.join('')))
    response.on('aborted', () => reject(new Error('the server closed the connection in the middle of a response')))
    response.on('error', reject)
  })
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

function impersonation({ impersonate }: Connection): OutgoingHttpHeaders {
  if (impersonate === undefined) return {}
  const { user, uid, groups = [], extra = {} } = impersonate
  return {
    'impersonate-user': user,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [...values]])),
  }
}

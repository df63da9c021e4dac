// The Kubernetes API over HTTPS: assembles the listening socket, authentication and the verbs.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type IncomingHttpHeaders, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Kind } from '../api/machinery/kind.ts'
import { type KindSet, kindSetOf } from '../api/machinery/kind-set.ts'
import { type Clock, realClock } from '../base/clock.ts'
import { machineRandom } from '../base/random.ts'
import { urlHostOf } from '../base/url.ts'
import type { Authenticate } from './auth/authenticator.ts'
import type { Authorizer } from './auth/authorizer.ts'
import type { ServiceAccountTokens } from './auth/service-account-tokens.ts'
import { Api } from './http/api.ts'
import { Dispatcher, type FindAggregated, type FindDocument } from './http/dispatcher.ts'
import type { Exchange } from './http/exchange.ts'
import type { HealthCheck } from './http/health.ts'
import { Http1Exchange, Http1UpgradeExchange } from './http/http1.ts'
import { Http2Exchange } from './http/http2.ts'
import type { HandleOwnPath } from './http/own-paths.ts'
import type { FindPageFile } from './http/page-files.ts'
import type { FindFault } from './http/request-faults.ts'
import { RequestQueue } from './http/request-queue.ts'
import { WatchStreams } from './http/watch-streams.ts'
import type { Exec } from './kinds/pod/pod-exec.ts'
import type { ReadLog } from './kinds/pod/pod-log.ts'
import type { RespondHttp } from './kinds/pod/pod-proxy.ts'
import { Metrics } from './metrics.ts'
import type { Rest } from './rest/rest.ts'

/** In PEM format. Client certificates are accepted when `ca` has signed them. */
interface ServerTls {
  readonly key: string
  readonly cert: string
  readonly ca: string
}

export interface ServerOptions {
  readonly rest: Rest
  readonly kinds: readonly Kind[] | KindSet
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  readonly tls: ServerTls
  readonly authenticate: Authenticate
  readonly authorizer: Authorizer
  /** For the issuer discovery of service account tokens. */
  readonly tokens?: ServiceAccountTokens
  /** Discovery and OpenAPI. */
  readonly findDocument?: FindDocument
  readonly readLog?: ReadLog
  readonly exec?: Exec
  readonly respondHttp?: RespondHttp
  /** The files of the dashboard. */
  readonly findPageFile?: FindPageFile
  /** Serves the paths below /rollcall/. */
  readonly handleOwnPath?: HandleOwnPath
  /** Injects faults into requests. */
  readonly findFault?: FindFault
  /** Versions that aggregated servers serve. */
  readonly findAggregated?: FindAggregated
  readonly healthChecks?: readonly HealthCheck[]
  /** For /metrics: `['pods', 3]`, `['deployments.apps', 1]`. */
  readonly storedObjects?: () => Iterable<readonly [string, number]>
  /** Further metrics, in the Prometheus text format. */
  readonly moreMetrics?: () => string
  /** Rollcall's own version, for /version. */
  readonly version?: string
  /** The clock of the cluster. */
  readonly clock?: Clock
  /** For the timeouts of connections, requests and watches. Default: `clock`. */
  readonly wallClock?: Clock
  /** GET requests wait for the promise. */
  readonly beforeRead?: () => Promise<void> | undefined
  /** Other requests wait for the promise. */
  readonly beforeWrite?: () => Promise<void> | undefined
  /** Receives one line for each internal error. */
  readonly log?: (line: string) => void
  readonly limits?: Partial<ServerLimits>
}

interface ServerLimits {
  readonly bodyBytes: number
  readonly headerBytes: number
  readonly connections: number
  /** Concurrent requests that read, without watches. */
  readonly readOnlyInFlight: number
  /** Concurrent requests that write. */
  readonly mutatingInFlight: number
  /** The timeout of requests other than watches. */
  readonly requestMs: number
  readonly watches: number
  /** The maximum size of unsent events of a watcher, in characters, beyond which it is dropped. */
  readonly watchPendingCharacters: number
  /** How long a watcher may read nothing before it is dropped. */
  readonly watchStalledMs: number
}

const defaultLimits: ServerLimits = {
  bodyBytes: 3 * 1024 * 1024,
  headerBytes: 64 * 1024,
  connections: 20_000,
  readOnlyInFlight: 800,
  mutatingInFlight: 400,
  requestMs: 60_000,
  watches: 10_000,
  watchPendingCharacters: 64 * 1024 * 1024,
  watchStalledMs: 30_000,
}

export interface RunningServer {
  /** https://127.0.0.1:6443 */
  readonly url: string
  readonly port: number
  /** New connections use these certificates; open ones are not affected. */
  renewTls(tls: ServerTls): void
  /** Ends the watches, waits up to a second for requests, then closes every connection. */
  close(): Promise<void>
}

const closingMs = 1000
const keepAliveMs = 180_000
const handshakeMs = 10_000

// AES-128 first: it is secure enough for connections of limited lifetime, and a third faster.
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/** Resolves when the server listens. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { rest, kinds, host = '127.0.0.1', port = 0, tls, clock = realClock } = options
  const { wallClock = clock, beforeRead, beforeWrite } = options
  const limits = { ...defaultLimits, ...options.limits }
  const log = options.log ?? (() => {})
  const watches = new WatchStreams(
    wallClock,
    {
      watches: limits.watches,
      pendingCharacters: limits.watchPendingCharacters,
      stalledMs: limits.watchStalledMs,
    },
    log,
  )
  const metrics: Metrics = new Metrics({
    inFlight: () => dispatcher.inFlight,
    watches: () => watches.count,
    storedObjects: options.storedObjects ?? (() => []),
    others: options.moreMetrics ?? (() => ''),
  })
  const api = new Api({
    rest,
    clock,
    random: machineRandom,
    watches,
    readLog: options.readLog ?? (() => ''),
    exec: options.exec ?? (() => undefined),
    respondHttp: options.respondHttp ?? (() => undefined),
    bodyLimitBytes: limits.bodyBytes,
    authorizer: options.authorizer,
  })
  const dispatcher: Dispatcher = new Dispatcher({
    api,
    kinds: kindSetOf(kinds),
    authenticate: options.authenticate,
    authorizer: options.authorizer,
    tokens: options.tokens,
    findDocument: options.findDocument ?? (() => undefined),
    findPageFile: options.findPageFile,
    handleOwnPath: options.handleOwnPath,
    findFault: options.findFault,
    findAggregated: options.findAggregated,
    healthChecks: [{ name: 'ping', check: () => undefined }, ...(options.healthChecks ?? [])],
    version: options.version ?? '0.0.0',
    metrics,
    clock: wallClock,
    log,
    limits,
  })
  const handle = (exchange: Exchange): void => {
    const waiting = exchange.method === 'GET' ? beforeRead?.() : beforeWrite?.()
    if (waiting === undefined) dispatcher.dispatch(exchange)
    else void waiting.then(() => dispatcher.dispatch(exchange))
  }

  const secureContext = { minVersion: 'TLSv1.2', ciphers, honorCipherOrder: true } as const
  const server = createServer({
    ...tls,
    ...secureContext,
    ALPNProtocols: ['h2', 'http/1.1'],
    requestCert: true,
    rejectUnauthorized: false,
    handshakeTimeout: handshakeMs,
    noDelay: true,
    keepAlive: true,
    maxHeaderSize: limits.headerBytes,
    requestTimeout: limits.requestMs,
    headersTimeout: Math.min(limits.requestMs, 30_000),
    keepAliveTimeout: keepAliveMs,
  })
  server.maxConnections = limits.connections
  const queue = new RequestQueue()
  const accept = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    const exchange = new Http1Exchange(request, response, expectsContinue)
    queue.run(request.socket, response, () => handle(exchange))
  }
  server.on('request', (request, response) => accept(request, response, false))
  server.on('checkContinue', (request, response) => accept(request, response, true))
  server.on('upgrade', async (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    // Loaded on demand: rarely needed.
    const { acceptWebSocket } = await import('./http/web-socket.ts')
    handle(new Http1UpgradeExchange(request, socket, head, acceptWebSocket))
  })
  const { sockets, sessions } = acceptConnections(server, limits, handle)
  await listen(server, host, port)
  const address = server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : urlHostOf(host)
  return {
    url: `https://${name}:${address.port}`,
    port: address.port,
    renewTls: (renewed) => server.setSecureContext({ ...renewed, ...secureContext }),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      watches.endAll()
      dispatcher.stop()
      server.closeIdleConnections()
      for (const session of sessions) session.close()
      const cancel = wallClock.after(closingMs, () => {
        for (const socket of sockets) socket.destroy()
      })
      await closed
      cancel()
    },
  }
}

// One server for both protocols. Node's own support (`allowHTTP1`) would create request and response objects for HTTP/2 as well.
function acceptConnections(server: Server, limits: ServerLimits, handle: (exchange: Exchange) => void) {
  const sockets = new Set<TLSSocket>()
  const sessions = new Set<ServerHttp2Session>()
  const [acceptHttp1] = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    sockets.add(socket)
    socket.on('error', ignore)
    socket.once('close', () => sockets.delete(socket))
    if (socket.alpnProtocol !== 'h2') {
      acceptHttp1!.call(server, socket)
      readAsStream(socket)
      return
    }
    if (socket.destroyed) return
    const session = performServerHandshake(socket, {
      maxSessionMemory: 256,
      settings: { maxConcurrentStreams: 250, initialWindowSize: 256 * 1024, maxHeaderListSize: limits.headerBytes },
    })
    sessions.add(session)
    session.on('error', ignore)
    session.once('close', () => sessions.delete(session))
    session.on('stream', ((stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: readonly string[]) =>
      handle(new Http2Exchange(socket, stream, headers, rawHeaders))) as never)
  })
  server.on('tlsClientError', ignore)
  server.on('clientError', (error: Error & { readonly code?: string }, socket) => {
    const status =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? '408 Request Timeout'
          : '400 Bad Request'
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`)
    else socket.destroy()
  })
  return { sockets, sessions }
}

/**
 * Makes Node parse an HTTP/1.1 connection from its 'data' events. By default the parser reads from the TLS handle below the
 * stream. When a request arrives before the previous response has been flushed, Node pauses the parser and the handle, but the
 * handle still delivers bytes that are already decrypted; the paused parser rejects them (HPE_PAUSED) and the connection is
 * closed. A paused stream delivers nothing. Adding a 'data' listener detaches the parser from the handle for good, so the
 * listener can be removed at once.
 */
function readAsStream(socket: TLSSocket): void {
  socket.on('data', ignore)
  socket.removeListener('data', ignore)
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: 1024 }, () => {
      server.removeListener('error', reject)
      server.on('error', ignore)
      resolve()
    })
  })
}

function ignore(): void {}

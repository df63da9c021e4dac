// Serves the dashboard for any cluster, on loopback: the page's files, and the API through the user's own credentials.
// Reading only, unless writes are allowed. A caller needs the token of this process, and only this address is answered, so that
// neither another user of the machine nor another web page can use those credentials.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2'
import { request as tlsRequest } from 'node:https'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Clock } from '../../base/clock.ts'
import { defined } from '../../base/defined.ts'
import { messageOf } from '../../base/error-message.ts'
import { hostOfUrl } from '../../base/url.ts'
import type { Connection } from '../../client/connection.ts'
import { http } from '../../server/http/node-http.ts'
import { createPageFiles } from '../../server/http/page-files.ts'
import { isFinalStatus, refuseUpgrade } from '../../server/http/received-response.ts'
import { createAuthority, createCertificate } from '../credentials/certificates.ts'
import type { DashboardPage } from '../dashboard-page.ts'
import { guarded, listen, readBody } from './listening.ts'

interface DashboardServerOptions {
  readonly connection: Connection
  readonly page: DashboardPage
  readonly token: string
  /** 0: any free port. */
  readonly port: number
  readonly allowWrites: boolean
  readonly clock: Clock
}

interface DashboardServer {
  readonly url: string
  stop(): Promise<void>
}

const host = '127.0.0.1'
const maxBodyBytes = 3 * 1024 * 1024
/** Requests of the page that change nothing in the cluster. */
const ownPaths = ['/rollcall/v1/report', '/rollcall/v1/simulate', '/rollcall/v1/compare', '/rollcall/v1/explain']
const apiPath = /^\/(?:api|apis|version|openapi|rollcall)(?:\/|$)/

/** Subresources that reach programs, which may do anything on a GET. */
const reachesPrograms = /^\/api\/v1\/(?:namespaces\/[^/]+\/(?:pods|services)|nodes)\/[^/]+\/(?:proxy|exec|attach|portforward)(?:\/|$)/

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

/** Whether the request can only read, however its path is encoded. A path that another server could decode differently counts as a write. */
function onlyReads(method: string, path: string): boolean {
  let decoded: string
  try {
    decoded = decodeURIComponent(path).replace(/\/+/g, '/')
  } catch {
    return false
  }
  return isRead(method) && !reachesPrograms.test(decoded) && !decoded.split('/').some((one) => one === '.' || one === '..')
}

const digest = (text: string) => createHash('sha256').update(text).digest()

export async function startDashboardServer(options: DashboardServerOptions): Promise<DashboardServer> {
  const { connection, page, token, clock } = options
  const authority = createAuthority('rollcall-dashboard', clock.now())
  const certificate = createCertificate(
    authority,
    { commonName: 'rollcall-dashboard', hosts: [host, 'localhost'], use: 'server' },
    clock.now(),
  )
  const findPageFile = createPageFiles(page.folder)
  // HTTP/2, because a browser opens only six HTTP/1.1 connections and the page has ten watches.
  const serve = (request: Http2ServerRequest, response: Http2ServerResponse) =>
    answer(request, response).catch((error: unknown) => sendStatus(response, 500, messageOf(error)))
  const server = createSecureServer({ key: certificate.key, cert: certificate.certificate, allowHTTP1: true }, guarded(serve))
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  const port = await listen(server, host, options.port, (error) =>
    error.code === 'EADDRINUSE' ? new Error(`Cannot listen on port ${options.port}: address in use. Choose another with --port.`) : error,
  )
  const names = [`${host}:${port}`, `localhost:${port}`]

  async function answer(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const name = request.authority || request.headers.host || ''
    if (!names.includes(name)) return sendStatus(response, 421, `this server answers at ${names[0]} only`)
    const path = request.url.split('?', 1)[0]!
    const file = isRead(request.method) ? findPageFile(path, request.headers.accept) : undefined
    if (file !== undefined) {
      response.writeHead(file.code, { 'content-type': file.contentType, ...file.headers })
      response.end(request.method === 'HEAD' ? '' : file.body)
      return
    }
    const given = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!timingSafeEqual(digest(given), digest(token))) return sendStatus(response, 401, 'Unauthorized')
    if (!apiPath.test(path)) return sendStatus(response, 404, 'the server could not find the requested resource')
    if (ownPaths.includes(path) && request.method === 'POST') return answerOwn(request, response, path)
    if (!options.allowWrites && !onlyReads(request.method, path))
      return sendStatus(response, 403, 'this dashboard reads only: start it with --write to allow changes')
    forward(request, response, connection)
  }

  async function answerOwn(request: Http2ServerRequest, response: Http2ServerResponse, path: string): Promise<void> {
    const body = await readBody(request, maxBodyBytes)
    if (body === undefined) return sendStatus(response, 413, 'the request is too large')
    let parsed: unknown
    try {
      parsed = JSON.parse(body)
    } catch (error) {
      return sendStatus(response, 400, `the body is not JSON: ${messageOf(error)}`)
    }
    try {
      const answered = await page.handleOwnPath({ method: 'POST', path, body: parsed })
      response.writeHead(answered?.code ?? 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answered?.body ?? {}))
    } catch (error) {
      if (isStatusError(error)) sendStatus(response, error.status.code ?? 500, error.status.message ?? '')
      else throw error
    }
  }

  return {
    url: `https://${host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const end of open) end()
        for (const session of sessions) session.destroy()
      }),
  }
}

/** Streams in progress, which would keep the server from closing. */
const open = new Set<() => void>()

function sendStatus(response: Http2ServerResponse, code: number, message: string): void {
  // What was cut off must not be taken for the whole.
  if (response.headersSent) {
    response.destroy(new Error(message))
    return
  }
  response.writeHead(code, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
  response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code }))
}

/** With the user's credentials in place of the page's token. */
function forward(request: Http2ServerRequest, response: Http2ServerResponse, connection: Connection): void {
  const base = new URL(connection.server)
  const { accept, 'content-type': contentType } = request.headers
  const token = connection.token?.()
  const basic = connection.basic && Buffer.from(`${connection.basic.username}:${connection.basic.password}`).toString('base64')
  const send = base.protocol === 'https:' ? tlsRequest : http.request
  const outgoing: ClientRequest = send(
    {
      host: hostOfUrl(base),
      port: base.port || (base.protocol === 'https:' ? 443 : 80),
      method: request.method,
      path: base.pathname.replace(/\/$/, '') + request.url,
      headers: {
        'user-agent': 'rollcall-dashboard',
        // Node.js would send the body of a DELETE without its length, and the API server would take it for the next request.
        ...(!isRead(request.method) && { 'transfer-encoding': 'chunked' }),
        ...(accept !== undefined && { accept }),
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(basic !== undefined && { authorization: `Basic ${basic}` }),
        ...(connection.impersonate && { 'impersonate-user': connection.impersonate.user }),
        ...(connection.impersonate?.groups && { 'impersonate-group': [...connection.impersonate.groups] }),
      },
      ...defined({
        ca: connection.certificateAuthority,
        cert: connection.clientCertificate,
        key: connection.clientKey,
        servername: connection.tlsServerName,
      }),
      ...(connection.skipTlsVerify && { rejectUnauthorized: false }),
    },
    (incoming: IncomingMessage) => passBack(incoming, response),
  )
  const end = () => {
    open.delete(end)
    outgoing.destroy()
  }
  open.add(end)
  outgoing.on('error', (error) => sendStatus(response, 502, `cannot reach the cluster: ${error.message}`))
  refuseUpgrade(outgoing, (error) => sendStatus(response, 502, error.message))
  outgoing.on('close', () => open.delete(end))
  response.on('close', end)
  // A read has no body: Node.js would send it without its length, as if it were a request of its own.
  if (isRead(request.method)) outgoing.end()
  else (request as NodeJS.ReadableStream).pipe(outgoing)
}

const passBack = guarded((incoming: IncomingMessage, response: Http2ServerResponse) => {
  if (!isFinalStatus(incoming.statusCode)) {
    incoming.destroy()
    return sendStatus(response, 502, `the cluster responded with the invalid status ${incoming.statusCode}`)
  }
  response.writeHead(incoming.statusCode, { 'content-type': incoming.headers['content-type'] ?? 'application/json' })
  incoming.pipe(response as NodeJS.WritableStream)
  incoming.on('error', (error) => sendStatus(response, 502, error.message))
})

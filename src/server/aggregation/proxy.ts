// Passes a request on to an aggregated server, with the identity of its caller, and the response back.
// Kubernetes: k8s.io/kube-aggregator/pkg/apiserver.proxyHandler.ServeHTTP
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Agent, request as startRequest } from 'node:https'
import { tooLargeError } from '../../api/machinery/status-error.ts'
import type { Headers } from '../http/exchange.ts'
import { isFinalStatus } from '../http/received-response.ts'
import type { Request } from '../http/request.ts'
import type { Caller } from '../rest/rest.ts'
import { describeConnectionError } from '../webhooks/post.ts'

interface ProxyTarget {
  readonly agent: Agent
  readonly host: string
  readonly port: number
  /** The Host header. */
  readonly name: string
}

const bodyLimitBytes = 3 * 1024 * 1024

/** Headers of one connection, and those that identify the caller to this server. */
const droppedHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const isDropped = (name: string) =>
  droppedHeaders.has(name) || name.startsWith(':') || name.startsWith('x-remote-') || name.startsWith('impersonate-')

/** The headers by which an aggregated server knows the caller, when the connection has the front proxy's certificate. */
export function callerHeaders({ name, uid, groups, extra = {} }: Caller): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { 'X-Remote-User': headerValue(name), 'X-Remote-Group': groups.map(headerValue) }
  if (uid) headers['X-Remote-Uid'] = headerValue(uid)
  for (const [key, values] of Object.entries(extra)) headers[`X-Remote-Extra-${escapeKey(key)}`] = values.map(headerValue)
  return headers
}

/** Node sends headers as Latin-1, and Go reads them as UTF-8. */
const headerValue = (text: string) => Buffer.from(text.replace(/[\r\n\0]/g, ' ')).toString('latin1')

const escapeKey = (key: string) =>
  [...Buffer.from(key)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`
    })
    .join('')

/** Resolves when the response is complete or, for a watch or an upgrade, when it has started. */
export async function passOn(request: Request, { agent, host, port, name }: ProxyTarget): Promise<void> {
  const { exchange, path, rawQuery } = request
  const isWatch = request.query.flag('watch') === true || request.query.flag('follow') === true
  const upgrade = exchange.tunnel === undefined ? undefined : exchange.header('upgrade')
  request.labels = { verb: isWatch ? 'WATCH' : exchange.method }
  const body = exchange.hasBody && upgrade === undefined ? await exchange.readBody(bodyLimitBytes) : Buffer.alloc(0)
  if (body === undefined) throw tooLargeError(`Request entity too large: limit is ${bodyLimitBytes}`)
  const headers = Object.create(null) as Record<string, string | string[]>
  for (const one of exchange.headerNames()) if (!isDropped(one)) headers[one] = exchange.headerValues(one)
  Object.assign(headers, callerHeaders(request.caller!), { host: name })
  if (upgrade !== undefined) Object.assign(headers, { connection: 'Upgrade', upgrade })
  if (body.length > 0) headers['content-length'] = String(body.length)
  // The path that was authorized, not the one that was sent: they can differ in their escapes.
  const target = encodeURI(path).replace(/[?#]/g, encodeURIComponent) + (rawQuery === '' ? '' : `?${rawQuery}`)
  return new Promise((resolve) => {
    const outgoing = startRequest({ agent, host, port, path: target, method: exchange.method, headers })
    exchange.onClose(() => {
      outgoing.destroy()
      resolve()
    })
    const fail = (code: number, why: string) => {
      outgoing.destroy()
      if (exchange.hasResponded) exchange.abort()
      else request.sendPlain(code, `error trying to reach service: ${why}\n`)
      resolve()
    }
    outgoing.on('error', (error) => {
      if (!exchange.hasResponded) fail(503, describeConnectionError(error))
      resolve()
    })
    outgoing.on('response', (response) => {
      if (!isFinalStatus(response.statusCode)) return fail(502, `the server responded with the invalid status ${response.statusCode}`)
      try {
        sendResponse(request, response, resolve)
      } catch (error) {
        return fail(502, (error as Error).message)
      }
      if (isWatch) resolve()
    })
    outgoing.on('upgrade', (response, upstream, head) => {
      if (upgrade === undefined) return fail(502, 'the server upgraded a connection without a request to do so')
      request.code = 101
      const { socket, head: early } = exchange.tunnel!()
      const lines = [`HTTP/1.1 101 ${response.statusMessage ?? 'Switching Protocols'}`]
      for (let i = 0; i + 1 < response.rawHeaders.length; i += 2) lines.push(`${response.rawHeaders[i]}: ${response.rawHeaders[i + 1]}`)
      socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
      if (early.length > 0) upstream.write(early)
      for (const [one, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        one.on('error', () => other.destroy())
        one.once('close', () => other.destroy())
        one.pipe(other)
      }
      resolve()
    })
    outgoing.end(body)
  })
}

function sendResponse(request: Request, response: IncomingMessage, onEnd: () => void): void {
  request.code = response.statusCode ?? 502
  const stream = request.exchange.stream(request.code, responseHeaders(response.headers))
  response.on('data', (piece: Buffer) => {
    if (!stream.write(piece)) response.pause()
  })
  stream.onDrain(() => response.resume())
  response.on('end', () => {
    stream.end()
    onEnd()
  })
  response.on('error', () => {
    stream.abort()
    onEnd()
  })
}

function responseHeaders(given: IncomingHttpHeaders): Headers {
  const headers = Object.create(null) as Headers
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && (name === 'content-length' || !droppedHeaders.has(name))) headers[name] = value
  return headers
}

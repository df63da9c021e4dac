// /healthz, /livez, /readyz and /metrics for a process that runs beside an API server.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hostOfUrl, urlHostOf } from '../../base/url.ts'
import { http } from '../../server/http/node-http.ts'
import { closeServer, guarded, listen } from './listening.ts'

interface HealthServerOptions {
  readonly host: string
  readonly port: number
  /** What is not ready yet; empty when everything is. */
  unready(): readonly string[]
  /** What does not work as it should, although requests may be sent here. */
  warnings?(): readonly string[]
  metrics(): string | Promise<string>
}

export interface HealthServer {
  readonly url: string
  stop(): Promise<void>
}

export async function startHealthServer({ host, port, unready, warnings, metrics }: HealthServerOptions): Promise<HealthServer> {
  const serve = (request: IncomingMessage, response: ServerResponse): void | Promise<void> => {
    const answer = (code: number, body: string, type = 'text/plain; charset=utf-8') => {
      response.writeHead(code, { 'content-type': type, 'x-content-type-options': 'nosniff' })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'method not allowed\n')
    switch (request.url?.split('?')[0]) {
      case '/healthz':
      case '/livez':
        return answer(200, 'ok\n')
      case '/readyz': {
        const waiting = unready()
        const notes = (warnings?.() ?? []).map((text) => `warning: ${text}\n`).join('')
        return waiting.length === 0 ? answer(200, `ok\n${notes}`) : answer(503, `not ready: ${waiting.join(', ')}\n${notes}`)
      }
      case '/metrics':
        return Promise.resolve(metrics()).then(
          (text) => answer(200, text, 'text/plain; version=0.0.4; charset=utf-8'),
          (error: Error) => answer(500, `${error.message}\n`),
        )
      default:
        return answer(404, 'not found\n')
    }
  }
  const server = http.createServer(guarded(serve))
  const actual = await listen(server, host, port, ({ code, message }) => {
    const why = code === 'EADDRINUSE' ? 'address in use. Choose another with --health-address.' : message
    return new Error(`Cannot listen on ${host}:${port}: ${why}`)
  })
  return {
    url: `http://${urlHostOf(host)}:${actual}`,
    stop: () => closeServer(server),
  }
}

// The stand-in for etcd: it answers every request as a healthy etcd answers `GET /health`.
/** Resolves to the function that stops the server. */
export async function serveEtcdHealth(url: string): Promise<() => Promise<void>> {
  const address = new URL(url)
  const answer = (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"health":"true","reason":""}')
  }
  const server = http.createServer(guarded(answer))
  await listen(server, hostOfUrl(address), Number(address.port || 2379), (error) => error)
  return () => closeServer(server)
}

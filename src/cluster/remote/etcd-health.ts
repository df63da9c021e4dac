// The stand-in for etcd: it answers every request as a healthy etcd answers `GET /health`.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hostOfUrl } from '../../base/url-host.ts'
import { http } from '../../server/http/node-http.ts'
import { closeServer, guarded, listen } from './listening.ts'

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

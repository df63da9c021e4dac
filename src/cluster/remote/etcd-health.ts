// The stand-in for etcd: it answers every request as a healthy etcd answers `GET /health`.
import { hostOfUrl } from '../../base/url-host.ts'
import { http } from '../../server/http/node-http.ts'
import { closeServer, listen } from './listening.ts'

/** Resolves to the function that stops the server. */
export async function serveEtcdHealth(url: string): Promise<() => Promise<void>> {
  const address = new URL(url)
  const server = http.createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"health":"true","reason":""}')
  })
  await listen(server, hostOfUrl(address), Number(address.port || 2379), (error) => error)
  return () => closeServer(server)
}

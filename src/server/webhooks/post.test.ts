// What webhooks send that is no response: each is an error of this call, and of no other.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { post } from './post.ts'

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

const peers: Readonly<Record<string, (socket: TLSSocket) => void>> = {
  'the status 000': (socket) => socket.end('HTTP/1.1 000 Zero\r\ncontent-length: 2\r\n\r\n{}'),
  'the status 600': (socket) => socket.end('HTTP/1.1 600 Odd\r\ncontent-length: 2\r\n\r\n{}'),
  'the status 999': (socket) => socket.end('HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}'),
  'an upgrade that was not requested': (socket) => socket.write('HTTP/1.1 101 Odd\r\nconnection: Upgrade\r\nupgrade: h2c\r\n\r\n'),
  'an upgrade that was not requested, and the end': (socket) =>
    socket.end('HTTP/1.1 101 Odd\r\nconnection: Upgrade\r\nupgrade: h2c\r\n\r\n'),
  'informational responses without end': (socket) => {
    sendForEver(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')
  },
  'a header of HTTP/2': (socket) => socket.end('HTTP/1.1 400 Odd\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\ncontent-length: 0\r\n\r\n'),
  'no HTTP': (socket) => socket.end('this is not HTTP\r\n\r\n'),
  'no bytes': (socket) => socket.end(),
  'a reset': (socket) => socket.destroy(),
  'half a head': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-le'),
  'a head that never ends': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    sendForEver(socket, `x: ${'y'.repeat(1000)}\r\n`)
  },
  'half a body': (socket) => socket.end(`${head}content-length: 100\r\n\r\n{"kind"`),
  'half a chunk': (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`),
  'a body that never ends': (socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
    sendForEver(socket, `10000\r\n${'x'.repeat(0x10000)}\r\n`)
  },
  'a body of 600 MB': (socket) => {
    socket.write(`${head}content-length: ${600 * 1024 * 1024}\r\n\r\n`)
    sendForEver(socket, 'x'.repeat(0x10000))
  },
}

function sendForEver(socket: TLSSocket, piece: string): void {
  while (!socket.destroyed)
    if (!socket.write(piece)) {
      socket.once('drain', () => sendForEver(socket, piece))
      return
    }
}

let server: Server
let certificate: string
beforeAll(async () => {
  const pems = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  } as never)
  certificate = Buffer.from(pems.cert).toString('base64')
  server = createServer({ key: pems.private, cert: pems.cert }, (socket) => {
    socket.on('error', () => {})
    socket.once('data', (request) => peers[decodeURIComponent(/^POST \/([^? ]+)/.exec(request.toString())![1]!)]!(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

test.each(Object.keys(peers))('a webhook that sends %s', { timeout: 20_000 }, async (peer) => {
  const { port } = server.address() as AddressInfo
  const address = { url: `https://127.0.0.1:${port}/${encodeURIComponent(peer)}` }
  const called = post({ address, caBundle: certificate, timeoutSeconds: 3, userAgent: 'test', body: '{}' })
  await expect(called).rejects.toThrow('failed to call webhook')
})

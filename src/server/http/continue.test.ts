// `Expect: 100-continue` over HTTP/1.1: the client waits for the answer 100 before it sends the body.
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { ask1, startTestServer, type TestServer, token, until } from './testing/test-server.ts'

const path = '/api/v1/namespaces/a/configmaps'
let server: TestServer
let socket: TLSSocket
let received = ''
afterEach(async () => {
  socket.destroy()
  await server.close()
})

async function open(): Promise<void> {
  server = await startTestServer()
  received = ''
  socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false })
  socket.setEncoding('utf8')
  socket.on('data', (piece) => {
    received += piece
  })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
}

const head = (line: string, ...headers: readonly string[]) =>
  [`${line} HTTP/1.1`, 'host: x', `authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n')
const post = (body: string, credential = token) =>
  [
    `POST ${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${credential}`,
    'content-type: application/json',
    'expect: 100-continue',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    '',
  ].join('\r\n')
const statusLines = () => received.match(/HTTP\/1\.1 \d{3}/g) ?? []

/** Its response has a warning, and is therefore sent as bytes. */
const body = '{"metadata":{"name":"x"},"spceé":1}'

describe('a request that expects 100-continue', () => {
  it('is answered 100 when its body is to be read, and then in full', async () => {
    await open()
    socket.write(post(body))
    await until(() => received !== '')
    expect(received).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(body)
    await until(() => statusLines().length === 2)
    expect(statusLines()).toEqual(['HTTP/1.1 100', 'HTTP/1.1 201'])
  })

  it('is answered 100 before its response, after the response to an earlier request on the connection', async () => {
    await open()
    const create = server.rest.create.bind(server.rest)
    let finishFirst: (() => void) | undefined
    server.rest.create = async (...args) => {
      server.rest.create = create
      await new Promise<void>((resolve) => {
        finishFirst = resolve
      })
      return create(...args)
    }
    const first = '{"metadata":{"name":"first"}}'
    const headOfFirst = head(`POST ${path}`, 'content-type: application/json', `content-length: ${first.length}`)
    socket.write(headOfFirst + first + post(body) + body)
    await until(() => finishFirst !== undefined)
    expect((await ask1(server, { path: '/healthz' })).code).toBe(200)
    expect(received).toBe('')
    finishFirst!()
    await until(() => statusLines().length === 3)
    expect(statusLines()).toEqual(['HTTP/1.1 201', 'HTTP/1.1 100', 'HTTP/1.1 201'])
  })

  it('is not answered 100 when it is refused without its body, and the connection is closed', async () => {
    await open()
    socket.write(post(body, 'wrong'))
    await once(socket, 'close')
    expect(statusLines()).toEqual(['HTTP/1.1 401'])
    expect(received.toLowerCase()).toContain('\r\nconnection: close\r\n')
  })

  it('is not answered 100 when it has no body', async () => {
    await open()
    socket.write(head(`GET ${path}`, 'expect: 100-continue'))
    await until(() => received !== '')
    expect(statusLines()).toEqual(['HTTP/1.1 200'])
  })
})

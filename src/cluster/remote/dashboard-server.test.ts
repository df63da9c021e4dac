import { createServer, type Server } from 'node:http'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { realClock } from '../../base/clock.ts'
import { startDashboardServer } from './dashboard-server.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function startDashboardBefore(api: Server | TcpServer, allowWrites: boolean) {
  await new Promise<void>((resolve) => {
    api.listen(0, '127.0.0.1', resolve)
  })
  closers.push(() => api.close())
  const dashboard = await startDashboardServer({
    connection: { server: `http://127.0.0.1:${(api.address() as AddressInfo).port}` },
    page: { folder: pathToFileURL(`${tmpdir()}/`), handleOwnPath: () => Promise.resolve(undefined) },
    token: 'secret',
    port: 0,
    allowWrites,
    clock: realClock,
  })
  closers.push(() => dashboard.stop())
  return dashboard
}

/** A dashboard before an API server that lists the requests that reach it. */
async function startDashboard(allowWrites: boolean) {
  const reached: string[] = []
  const api = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      reached.push(`${request.method} ${request.url} ${Buffer.concat(pieces)}`.trim())
      response.end('{}')
    })
  })
  api.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    reached.push(`malformed: ${error.code}`)
    socket.destroy()
  })
  const dashboard = await startDashboardBefore(api, allowWrites)
  const session = connect(dashboard.url, { rejectUnauthorized: false })
  closers.push(() => session.close())
  const send = (method: string, path: string, body?: string) =>
    new Promise<number>((resolve, reject) => {
      const stream = session.request(
        { ':method': method, ':path': path, authorization: 'Bearer secret' },
        { endStream: body === undefined },
      )
      let code = 0
      stream.on('response', (headers) => {
        code = headers[':status'] ?? 0
      })
      stream.on('end', () => resolve(code)).on('error', reject)
      stream.resume()
      if (body !== undefined) stream.end(body)
    })
  return { send, reached }
}

describe('a dashboard that reads only', () => {
  test('does not forward the body of a read, which would reach the API server as a request of its own', async () => {
    const { send, reached } = await startDashboard(false)
    const hidden = 'POST /api/v1/namespaces HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}'
    expect(await send('GET', '/api/v1/pods', hidden)).toBe(200)
    expect(await send('GET', '/api/v1/nodes')).toBe(200)
    expect(reached).toEqual(['GET /api/v1/pods', 'GET /api/v1/nodes'])
  })

  test.each([
    ['plain', '/api/v1/namespaces/a/pods/b/proxy/x'],
    ['with an encoded letter', '/api/v1/namespaces/a/pods/b/pro%78y/x'],
    ['with bytes that are not UTF-8', '/api/v1/namespaces/a/pods/b/pro%78y/%ff'],
    ['with a dot segment', '/api/v1/namespaces/a/pods/b/log/../proxy/x'],
    ['with an encoded dot segment', '/api/v1/namespaces/a/pods/b/log/%2e%2e/proxy/x'],
  ])('refuses a path to a program: %s', async (_, path) => {
    const { send, reached } = await startDashboard(false)
    expect(await send('GET', path)).toBe(403)
    expect(reached).toEqual([])
  })

  test('forwards a read with encoded characters', async () => {
    const { send, reached } = await startDashboard(false)
    expect(await send('GET', '/api/v1/pods?labelSelector=app%3Dweb%2F..')).toBe(200)
    expect(reached).toEqual(['GET /api/v1/pods?labelSelector=app%3Dweb%2F..'])
  })
})

describe('a dashboard', () => {
  test.each(['report', 'simulate', 'compare'])('refuses a body that is not JSON: %s', async (name) => {
    const { send } = await startDashboard(false)
    expect(await send('POST', `/rollcall/v1/${name}`, '{')).toBe(400)
    expect(await send('POST', `/rollcall/v1/${name}`, '{}')).toBe(200)
  })
})

describe('a dashboard that may write', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('forwards the body of a %s', async (method) => {
    const { send, reached } = await startDashboard(true)
    expect(await send(method, '/api/v1/namespaces/a', '{"propagationPolicy":"Orphan"}')).toBe(200)
    expect(reached).toEqual([`${method} /api/v1/namespaces/a {"propagationPolicy":"Orphan"}`])
  })

  test('forwards a DELETE without a body', async () => {
    const { send, reached } = await startDashboard(true)
    expect(await send('DELETE', '/api/v1/namespaces/a')).toBe(200)
    expect(reached).toEqual(['DELETE /api/v1/namespaces/a'])
  })
})

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
/** What a broken server sends, and what the page receives. */
const rows: readonly (readonly [string, string, number | 'broken off'])[] = [
  ['the status 000', 'HTTP/1.1 000 Zero\r\ncontent-length: 0\r\n\r\n', 502],
  ['the status 600', 'HTTP/1.1 600 Odd\r\ncontent-length: 0\r\n\r\n', 502],
  ['the status 999', 'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n', 502],
  ['an upgrade that was not requested', 'HTTP/1.1 101 Odd\r\nconnection: Upgrade\r\nupgrade: h2c\r\n\r\n', 502],
  ['no HTTP', 'this is not HTTP\r\n\r\n', 502],
  ['half a head', 'HTTP/1.1 200 OK\r\ncontent', 502],
  ['half a body', `${chunked}4\r\nhalf\r\n`, 'broken off'],
  ['a content type beyond ASCII', `HTTP/1.1 200 OK\r\ncontent-type: a\u00ffb\r\ncontent-length: 0\r\n\r\n`, 200],
]

describe('a dashboard whose cluster answers with', () => {
  test.each(rows)('%s', async (_, answer, expected) => {
    const api = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(answer, 'latin1'))
    })
    const { url } = await startDashboardBefore(api, false)
    const headers = { authorization: 'Bearer secret' }
    const session = connect(url, { rejectUnauthorized: false })
    closers.push(() => session.close())
    const overHttp2 = await new Promise((resolve) => {
      let status: unknown
      const stream = session.request({ ':path': '/api/v1/pods', ...headers })
      stream.on('response', (given) => (status = given[':status']))
      stream.on('error', () => resolve('broken off'))
      stream.on('end', () => resolve(status))
      stream.resume()
    })
    expect(overHttp2).toBe(expected)
    const overHttp1 = await new Promise((resolve) => {
      const outgoing = request(`${url}/api/v1/pods`, { rejectUnauthorized: false, agent: false, headers }, (response) => {
        response.on('error', () => resolve('broken off'))
        response.on('end', () => resolve(response.statusCode))
        response.resume()
      })
      outgoing.on('error', () => resolve('broken off'))
      outgoing.end()
    })
    expect(overHttp1).toBe(expected)
  })
})

// What must not bring the server down.
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { configMaps, pods } from '../../api/kinds.ts'
import { failure } from '../../api/machinery/status-error.ts'
import { ask1, ask2, startTestServer, type TestServer, token, until } from './testing/test-server.ts'

const path = '/api/v1/namespaces/a/configmaps'
let server: TestServer
afterEach(() => server.close())

function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false })
    let received = ''
    socket.on('data', (piece) => {
      received += piece
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
    socket.write(bytes)
  })
}

/** Asks for the list and reads nothing of it. */
function stallHttp1(): () => void {
  const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false })
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
  return () => socket.destroy()
}

function stallHttp2(): () => void {
  const session = connectHttp2(server.url, { rejectUnauthorized: false })
  session.on('error', () => {})
  const stream = session.request({ ':path': path, authorization: `Bearer ${token}` })
  stream.on('error', () => {})
  return () => session.destroy()
}

it('sends the head of an empty response before it closes the stream of a request with a body', async () => {
  server = await startTestServer()
  server.rest.put(pods, { metadata: { name: 'x', namespace: 'a' }, spec: { containers: [{ name: 'c' }] } })
  const session = connectHttp2(server.url, { rejectUnauthorized: false })
  const head = { ':path': '/api/v1/namespaces/a/pods/x/log', authorization: `Bearer ${token}` }
  await new Promise((resolve) => session.once('remoteSettings', resolve))
  const codes = await Promise.all(
    Array.from({ length: 20 }, () => {
      const stream = session.request(head, { endStream: false }).resume()
      stream.end()
      return new Promise((resolve) => {
        stream.once('response', (got) => resolve(got[':status']))
        stream.once('close', () => resolve(undefined))
      })
    }),
  )
  session.destroy()
  expect(new Set(codes)).toEqual(new Set([204]))
})

describe.each([
  ['HTTP/1.1', ask1],
  ['HTTP/2', ask2],
])('limits over %s', (_name, ask) => {
  it('refuses a body that is too long', async () => {
    server = await startTestServer()
    const body = `{"metadata":{"name":"x"},"data":{"k":"${'v'.repeat(4_000_000)}"}}`
    const answer = await ask(server, { method: 'POST', path, body })
    expect(answer.json).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge', message: 'Request entity too large: limit is 3145728' })
    expect((await ask(server, { path: '/healthz' })).code).toBe(200)
  })

  it('refuses too many requests at a time', async () => {
    server = await startTestServer({ limits: { readOnlyInFlight: 1, mutatingInFlight: 1 } })
    let release = () => {}
    const started = new Promise<void>((resolve) => {
      server.rest.create = () => {
        resolve()
        return new Promise((_, reject) => (release = () => reject(new Error('enough'))))
      }
    })
    const first = ask(server, { method: 'POST', path, body: '{}' })
    await started
    const weak = { authorization: 'Bearer weak' }
    const refused = await ask(server, { method: 'POST', path, body: '{}', headers: weak })
    expect(refused).toMatchObject({ code: 429, text: 'Too many requests, please try again later.\n' })
    expect(refused.headers['retry-after']).toBe('1')
    // Reads have a limit of their own; health checks and administrators have none.
    expect((await ask(server, { path, headers: weak })).code).toBe(403)
    expect((await ask(server, { path: '/healthz' })).code).toBe(200)
    server.rest.delete = () => Promise.reject(new Error('reached'))
    expect((await ask(server, { method: 'DELETE', path: `${path}/x` })).code).toBe(500)
    release()
    expect((await first).code).toBe(500)
  })

  it('counts a request whose error cannot be sent no longer as one in flight', async () => {
    server = await startTestServer({ limits: { mutatingInFlight: 1 } })
    server.rest.create = () => Promise.reject(failure(42, '', 'no status of HTTP'))
    const create = () => ask(server, { method: 'POST', path, body: '{}' })
    await expect(create()).rejects.toThrow()
    await expect(create()).rejects.toThrow()
    expect((await ask(server, { path: '/metrics' })).text).toContain('inflight_requests{request_kind="mutating"} 0')
  })

  it('responds with a timeout to a request that takes too long', async () => {
    server = await startTestServer()
    server.rest.create = () => new Promise(() => {})
    const answer = await ask(server, { method: 'POST', path: `${path}?timeout=100ms`, body: '{}' })
    expect(answer.json).toMatchObject({ code: 504, reason: 'Timeout' })
  })

  it('loses a client that does not read its answer', async () => {
    server = await startTestServer({ limits: { requestMs: 100 } })
    for (let i = 0; i < 300; i++)
      server.rest.put(configMaps, { metadata: { name: `c${i}`, namespace: 'a' }, data: { k: 'v'.repeat(100_000) } })
    const inFlight = async () =>
      /inflight_requests\{request_kind="readOnly"\} (\d+)/.exec((await ask(server, { path: '/metrics' })).text)?.[1]
    const stop = ask === ask1 ? stallHttp1() : stallHttp2()
    await until(async () => (await inFlight()) === '2')
    await until(async () => (await inFlight()) === '1')
    stop()
  })

  it('turns a fault of ours into a Status and a line in the log', async () => {
    server = await startTestServer()
    server.rest.list = () => {
      throw new TypeError('boom')
    }
    const answer = await ask(server, { path })
    expect(answer.json).toMatchObject({ code: 500, reason: 'InternalError', message: 'Internal error occurred: boom' })
    expect(server.lines).toHaveLength(1)
    expect(server.lines[0]).toMatch(/^Cannot respond to GET \/api\/v1\/namespaces\/a\/configmaps: TypeError: boom/)
    expect(server.lines[0]).not.toContain('\n')
  })
})

describe('pipelined requests over HTTP/1.1', () => {
  it('are handled one after the other, as their responses are read', async () => {
    server = await startTestServer()
    server.rest.put(configMaps, { metadata: { name: 'c', namespace: 'a' }, data: { k: 'v'.repeat(1_000_000) } })
    const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false })
    socket.on('error', () => {})
    socket.pause()
    socket.write(`GET ${path}/c HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`.repeat(500))
    const gets = () => server.rest.calls.filter(({ verb }) => verb === 'get').length
    await until(async () => gets() > 0)
    expect((await ask1(server, { path: '/healthz' })).code).toBe(200)
    const stalled = gets()
    expect(stalled).toBeLessThan(100)
    socket.resume()
    await until(async () => gets() === 500)
    socket.destroy()
  })
})

describe('the server survives', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['no path', `GET nowhere HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`],
    ['a broken escape', `GET /%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`],
    ['two lengths', `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx`],
    ['an HTTP/2 preface where HTTP/1.1 was agreed', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    server = await startTestServer()
    expect(await sendRaw(bytes)).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect((await ask1(server, { path: '/healthz' })).code).toBe(200)
    expect(server.lines).toEqual([])
  })

  it('a header without an end', async () => {
    server = await startTestServer()
    await sendRaw(`GET / HTTP/1.1\r\nx: ${'y'.repeat(100_000)}`)
    expect((await ask1(server, { path: '/healthz' })).code).toBe(200)
  })

  it('a whole URL as the target', async () => {
    server = await startTestServer()
    expect(await sendRaw(`GET https://x/healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  it('an HTTP/1.0 client', async () => {
    server = await startTestServer()
    server.rest.put(configMaps, { metadata: { name: 'x', namespace: 'a' } })
    const answer = await sendRaw(`GET ${path}?watch=1&timeoutSeconds=1 HTTP/1.0\r\nauthorization: Bearer ${token}\r\n\r\n`)
    expect(answer.split('\r\n\r\n')[1]).toMatch(/^\{"type":"ADDED","object":\{"kind":"ConfigMap"/)
  })

  it('requests one behind the other on a connection', async () => {
    server = await startTestServer()
    const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${more}\r\n`
    const answer = await sendRaw(get(path) + get(`${path}?watch=1&timeoutSeconds=1`) + get('/healthz', 'connection: close\r\n'))
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3)
  })

  it('a long answer behind a short one on a connection', async () => {
    server = await startTestServer()
    for (let i = 0; i < 300; i++)
      server.rest.put(configMaps, { metadata: { name: `c${i}`, namespace: 'a' }, data: { k: 'v'.repeat(20_000) } })
    const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${more}\r\n`
    const answer = await sendRaw(get('/healthz') + get(path, 'connection: close\r\n'))
    expect(answer.match(/"name":"c\d+"/g)).toHaveLength(300)
    expect(answer.endsWith('\r\n0\r\n\r\n')).toBe(true)
  })

  it('clients that go in the middle of things', async () => {
    server = await startTestServer()
    const metrics = async () => (await ask1(server, { path: '/metrics' })).text
    const mutating = 'apiserver_current_inflight_requests{request_kind="mutating"}'
    const readOnly = 'apiserver_current_inflight_requests{request_kind="readOnly"}'
    for (let i = 0; i < 300; i++)
      server.rest.put(configMaps, { metadata: { name: `c${i}`, namespace: 'a' }, data: { k: 'v'.repeat(20_000) } })
    for (const bytes of [
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\nauthorization: Bearer ${token}\r\n\r\n{`,
      `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`,
    ]) {
      const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false })
      socket.on('error', () => {})
      socket.write(bytes)
      if (bytes.startsWith('POST')) await until(async () => (await metrics()).includes(`${mutating} 1`))
      else await new Promise((resolve) => socket.once('data', resolve))
      socket.destroy()
    }
    const session = connectHttp2(server.url, { rejectUnauthorized: false })
    const stream = session.request({ ':path': path, authorization: `Bearer ${token}` })
    stream.on('error', () => {})
    await new Promise((resolve) => stream.once('data', resolve))
    session.destroy()
    await until(async () => {
      const text = await metrics()
      return text.includes(`${mutating} 0`) && text.includes(`${readOnly} 1`)
    })
    expect(server.lines).toEqual([])
  })
})

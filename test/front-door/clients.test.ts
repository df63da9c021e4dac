// HTTP/1.1 and HTTP/2 against a running cluster, with authentication and limits.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2'
import { Agent, request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { configMap, configMapsPath as path, soon } from './config-maps.ts'
import { type RunningCluster, startCluster } from './running-cluster.ts'

let cluster: RunningCluster
let authority: string
beforeAll(async () => {
  cluster = await startCluster()
  authority = readFileSync(join(cluster.folder, 'credentials/ca.crt'), 'utf8')
}, 60_000)
afterAll(() => cluster?.stop())

interface Answer {
  readonly code: number
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
  readonly text: string
}

/** One request with plain node:https; `options` may take the token away. */
function ask1(
  agent: Agent,
  method: string,
  target: string,
  { headers = {}, body, token = cluster.token }: { headers?: Record<string, string>; body?: string | Buffer; token?: string | null } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Node sends no length with a body that it does not expect, as of DELETE.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const all = { ...length, ...(token !== null && { authorization: `Bearer ${token}` }), ...headers }
    const outgoing = httpsRequest(cluster.url, { agent, method, path: target, headers: all }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(pieces)
        resolve({ code: response.statusCode!, headers: response.headers, bytes, text: bytes.toString() })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

describe('HTTP/1.1', () => {
  let agent: Agent
  beforeAll(() => {
    agent = new Agent({ ca: authority, keepAlive: true, maxSockets: 1 })
  })
  afterAll(() => agent.destroy())
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    ask1(agent, 'POST', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })

  it('keeps its connection through answers of every sort', async () => {
    const single = new Agent({ ca: authority, keepAlive: true, maxSockets: 1 })
    const sockets = new Set<unknown>()
    single.on('free', (socket) => sockets.add(socket))
    const codes: number[] = []
    for (const [method, target, body] of [
      ['GET', '/api/v1/namespaces'],
      ['GET', `${path}/absent`],
      ['POST', path, '{broken'],
      ['HEAD', '/healthz'],
      ['POST', '/api/v1/nothing', '{}'],
      ['DELETE', `${path}/absent`, '{}'],
      ['GET', `${path}?watch=1&timeoutSeconds=1`],
      ['GET', '/api/v1/namespaces/default'],
    ] as const)
      codes.push((await ask1(single, method, target, { ...(body && { body }), headers: { 'content-type': 'application/json' } })).code)
    expect(codes).toEqual([200, 404, 400, 200, 404, 404, 200, 200])
    expect(sockets.size).toBe(1)
    single.destroy()
  }, 60_000)

  it('watches in chunks, each event as soon as it happens', async () => {
    const outgoing = httpsRequest(cluster.url, {
      ca: authority,
      path: `${path}?watch=1&fieldSelector=metadata.name=chunked`,
      headers: { authorization: `Bearer ${cluster.token}` },
    })
    outgoing.end()
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    expect(response.headers['transfer-encoding']).toBe('chunked')
    expect(response.headers['content-type']).toBe('application/json')
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (chunk) => {
      text += chunk
    })
    const events = () =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { type: string; object: V1ConfigMap })
    for (const n of ['1', '2', '3']) {
      if (n === '1') await post(configMap('chunked', { n }))
      else
        await ask1(agent, 'PUT', `${path}/chunked`, {
          body: JSON.stringify(configMap('chunked', { n })),
          headers: { 'content-type': 'application/json' },
        })
      await vi.waitFor(() => expect(events().at(-1)?.object.data?.['n']).toBe(n), soon)
    }
    expect(events().map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'MODIFIED'])
    response.on('error', () => {})
    outgoing.destroy()
  })

  it('compresses long responses for clients that accept it', async () => {
    await post(configMap('long', { text: 'x'.repeat(200_000) }))
    const plain = await ask1(agent, 'GET', `${path}/long`)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const packed = await ask1(agent, 'GET', `${path}/long`, { headers: { 'accept-encoding': 'gzip' } })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(packed.bytes.length).toBeLessThan(20_000)
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.text)
    const list = await ask1(agent, 'GET', path, { headers: { 'accept-encoding': 'gzip' } })
    expect(JSON.parse(gunzipSync(list.bytes).toString()).kind).toBe('ConfigMapList')
    const short = await ask1(agent, 'GET', '/api/v1/namespaces/default', { headers: { 'accept-encoding': 'gzip' } })
    expect(short.headers['content-encoding']).toBeUndefined()
  })

  it('answers HEAD without a body', async () => {
    const head = await ask1(agent, 'HEAD', '/version')
    expect(head).toMatchObject({ code: 200, text: '' })
    expect(Number(head.headers['content-length'])).toBe((await ask1(agent, 'GET', '/version')).bytes.length)
  })

  it('reads and writes YAML', async () => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: |\n    b\n  c: "1"\n'
    const made = await ask1(agent, 'POST', path, { body, headers: { 'content-type': 'application/yaml', accept: 'application/yaml' } })
    expect(made.code).toBe(201)
    expect(made.headers['content-type']).toBe('application/yaml')
    expect(parse(made.text)).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'yaml' }, data: { a: 'b\n', c: '1' } })
    const list = await ask1(agent, 'GET', `${path}?fieldSelector=metadata.name=yaml`, { headers: { accept: 'application/yaml' } })
    expect(parse(list.text)).toMatchObject({ kind: 'ConfigMapList', items: [{ data: { c: '1' } }] })
    const absent = await ask1(agent, 'GET', `${path}/absent`, { headers: { accept: 'application/yaml' } })
    expect(parse(absent.text)).toMatchObject({ kind: 'Status', code: 404 })
  })

  it('exposes metrics', async () => {
    const { code, text } = await ask1(agent, 'GET', '/metrics')
    expect(code).toBe(200)
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
    expect(text).toMatch(/^apiserver_request_total\{.*code="201".*\} \d+/m)
  })
})

describe('HTTP/2', () => {
  let session: ClientHttp2Session
  beforeAll(async () => {
    session = connectHttp2(cluster.url, { ca: authority })
    await once(session, 'connect')
  })
  afterAll(() => session?.destroy())

  const open = (method: string, target: string, headers: Record<string, string> = {}, body?: string): ClientHttp2Stream => {
    const stream = session.request({ ':method': method, ':path': target, authorization: `Bearer ${cluster.token}`, ...headers })
    stream.end(body)
    return stream
  }
  const ask2 = async (method: string, target: string, headers: Record<string, string> = {}, body?: string) => {
    const stream = open(method, target, headers, body)
    let [text, code] = ['', 0]
    stream.setEncoding('utf8')
    stream.on('response', (got) => {
      code = got[':status'] ?? 0
    })
    stream.on('data', (chunk) => {
      text += chunk
    })
    await once(stream, 'end')
    return { code, text, json: text === '' ? undefined : JSON.parse(text) }
  }
  const json = { 'content-type': 'application/json' }

  it('serves many streams of one session at once', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `many-${i}`)
    const made = await Promise.all(names.map((name) => ask2('POST', path, json, JSON.stringify(configMap(name, {}, { set: 'many' })))))
    expect(new Set(made.map(({ code }) => code))).toEqual(new Set([201]))
    expect(new Set(made.map(({ json }) => json.metadata.resourceVersion)).size).toBe(300)
    const read = await Promise.all(names.map((name) => ask2('GET', `${path}/${name}`)))
    expect(read.map(({ json }) => json)).toEqual(made.map(({ json }) => json))
    const list = await ask2('GET', `${path}?labelSelector=set=many`)
    expect(list.json.items.length).toBe(300)
  })

  it('watches beside other requests of its session', async () => {
    const watch = open('GET', `${path}?watch=1&fieldSelector=metadata.name=beside`)
    let text = ''
    watch.setEncoding('utf8')
    watch.on('data', (chunk) => {
      text += chunk
    })
    const [headers] = await once(watch, 'response')
    expect(headers[':status']).toBe(200)
    await ask2('POST', path, json, JSON.stringify(configMap('beside', { n: '1' })))
    const patched = await ask2('PATCH', `${path}/beside`, { 'content-type': 'application/merge-patch+json' }, '{"data":{"n":"2"}}')
    expect(patched).toMatchObject({ code: 200, json: { data: { n: '2' } } })
    await ask2('DELETE', `${path}/beside`)
    await vi.waitFor(() => expect(text.trim().split('\n').length).toBe(3), soon)
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type),
    ).toEqual(['ADDED', 'MODIFIED', 'DELETED'])
    watch.close()
  })

  it('patches in all four ways', async () => {
    await ask2('POST', path, json, JSON.stringify(configMap('patched', { a: '1' })))
    const patch = async (type: string, body: string, query = '') =>
      (await ask2('PATCH', `${path}/patched${query}`, { 'content-type': `application/${type}` }, body)).json.data
    expect(await patch('json-patch+json', '[{"op":"add","path":"/data/b","value":"2"}]')).toEqual({ a: '1', b: '2' })
    expect(await patch('merge-patch+json', '{"data":{"a":null}}')).toEqual({ b: '2' })
    expect(await patch('strategic-merge-patch+json', '{"data":{"c":"3"}}')).toEqual({ b: '2', c: '3' })
    const applied = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"patched"},"data":{"d":"4"}}'
    expect(await patch('apply-patch+yaml', applied, '?fieldManager=me')).toEqual({ b: '2', c: '3', d: '4' })
  })

  it('responds to HEAD, refuses a long body and serves the next request', async () => {
    expect(await ask2('HEAD', '/version')).toMatchObject({ code: 200, text: '' })
    const refused = await ask2('POST', path, json, JSON.stringify(configMap('long', { a: 'x'.repeat(3 * 2 ** 20) })))
    expect(refused).toMatchObject({ code: 413, json: { reason: 'RequestEntityTooLarge' } })
    expect((await ask2('GET', '/api/v1/namespaces/default')).code).toBe(200)
  })
})

describe('authentication', () => {
  it('lets the client certificate in without a token', async () => {
    const read = (name: string) => readFileSync(join(cluster.folder, 'credentials', name), 'utf8')
    const agent = new Agent({ ca: authority, cert: read('admin.crt'), key: read('admin.key') })
    expect((await ask1(agent, 'GET', '/api/v1/namespaces', { token: null })).code).toBe(200)
    const review = await ask1(agent, 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      token: null,
      body: '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}',
      headers: { 'content-type': 'application/json' },
    })
    expect(JSON.parse(review.text).status.userInfo).toMatchObject({ username: 'kubernetes-admin' })
    agent.destroy()
  })

  it('refuses the anonymous, and wrong tokens, everywhere but at health and version', async () => {
    const agent = new Agent({ ca: authority, keepAlive: true })
    for (const target of ['/healthz', '/livez', '/readyz', '/version'])
      expect((await ask1(agent, 'GET', target, { token: null })).code).toBe(200)
    for (const target of [
      '/',
      '/api',
      '/apis',
      '/api/v1',
      '/api/v1/namespaces',
      '/metrics',
      '/openapi/v2',
      '/openapi/v3',
      '/healthz/ping',
      '/nothing',
      '/version/../api',
      '//version',
      `${path}?watch=1`,
    ])
      for (const token of [null, 'wrong']) {
        const { code, text } = await ask1(agent, 'GET', target, { token })
        expect([target, code, JSON.parse(text).reason]).toEqual(token === null ? [target, 403, 'Forbidden'] : [target, 401, 'Unauthorized'])
      }
    expect((await ask1(agent, 'POST', path, { token: null, body: JSON.stringify(configMap('anonymous')) })).code).toBe(403)
    expect((await cluster.ask('GET', `${path}/anonymous`)).code).toBe(404)
    agent.destroy()
  })

  it('shows a certificate that its own authority signed, and no other', async () => {
    const stranger = new Agent()
    await expect(ask1(stranger, 'GET', '/version')).rejects.toThrow(/certificate/)
    stranger.destroy()
  })
})

describe('limits', () => {
  const agent = () => new Agent({ ca: authority, keepAlive: true, maxSockets: 1 })

  it('refuses a body of more than 3 MiB, and accepts one below', async () => {
    const headers = { 'content-type': 'application/json' }
    const own = agent()
    const over = await ask1(own, 'POST', path, { headers, body: JSON.stringify(configMap('over', { a: 'x'.repeat(3 * 2 ** 20) })) })
    expect([over.code, JSON.parse(over.text)]).toEqual([
      413,
      expect.objectContaining({ kind: 'Status', reason: 'RequestEntityTooLarge', message: 'Request entity too large: limit is 3145728' }),
    ])
    // Read, and found to be more than a ConfigMap may hold.
    const under = await ask1(own, 'POST', path, {
      headers,
      body: JSON.stringify(configMap('under', { a: 'x'.repeat(3 * 2 ** 20 - 1000) })),
    })
    expect(under.code).toBe(422)
    own.destroy()
  })

  it('refuses too many and too long headers', async () => {
    const own = agent()
    const long = await ask1(own, 'GET', '/version', { headers: { 'x-long': 'x'.repeat(70_000) } })
    expect(long.code).toBe(431)
    const many = Object.fromEntries(Array.from({ length: 1900 }, (_, i) => [`x-header-${i}`, 'x'.repeat(40)]))
    expect((await ask1(own, 'GET', '/version', { headers: many })).code).toBe(431)
    expect((await ask1(own, 'GET', '/version')).code).toBe(200)
    own.destroy()
  })

  it('drops a watcher that does not read, serves the others, and does not grow', async () => {
    const events = 1000
    const text = 'x'.repeat(100_000)
    await cluster.ask('POST', path, configMap('heavy', { n: '0', text }))
    const target = `${path}?watch=1&fieldSelector=metadata.name=heavy`
    const asleep = await openAndSleep(target)
    let received = 0
    let lines = 0
    let dropped: Error | undefined
    const reader = connectHttp2(cluster.url, { ca: authority })
    const stream = reader.request({ ':path': target, authorization: `Bearer ${cluster.token}` })
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
    })
    stream.on('error', (error) => {
      dropped = error
    })
    await once(stream, 'response')
    const before = await residentBytes()
    let greatest = before
    for (let n = 1; n <= events; n++) {
      const patch = JSON.stringify({ data: { n: String(n) } })
      const { code } = await cluster.ask('PATCH', `${path}/heavy`, patch, { 'content-type': 'application/merge-patch+json' })
      if (code !== 200) throw new Error(`patch ${n}: ${code}`)
      if (n % 50 !== 0) continue
      // On a busy machine the reader is slower than the writer: it must not fall far behind as well.
      await vi.waitFor(() => expect({ isNear: lines > n - 25, dropped }).toEqual({ isNear: true, dropped: undefined }), soon)
      greatest = Math.max(greatest, await residentBytes())
    }
    await vi.waitFor(() => expect({ lines, dropped }).toEqual({ lines: events + 1, dropped: undefined }), soon)
    expect(received).toBeGreaterThan(events * text.length)
    const missed = await readToEnd(asleep)
    expect(missed, 'bytes that the sleeper got').toBeLessThan((events * text.length) / 2)
    // Half of it is the history of the store. A watcher that is not dropped would hold more.
    expect((greatest - before) / 2 ** 20, 'growth in MiB').toBeLessThan(200)
    reader.destroy()
  }, 600_000)

  /** Starts a watch over a plain socket, and reads nothing after the head of the response. */
  async function openAndSleep(target: string): Promise<TLSSocket> {
    const { hostname, port } = new URL(cluster.url)
    const socket = connectTls({ host: hostname, port: Number(port), ca: authority })
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${cluster.token}\r\n\r\n`)
    await once(socket, 'readable')
    socket.read()
    return socket
  }

  async function readToEnd(socket: TLSSocket): Promise<number> {
    let bytes = 0
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      bytes += chunk.length
    })
    if (!socket.closed) await once(socket, 'close')
    return bytes
  }

  async function residentBytes(): Promise<number> {
    const { text } = await cluster.ask('GET', '/metrics')
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
  }
})

it('logs no errors', () => {
  expect(cluster.output()).not.toMatch(/Cannot respond|Error/)
})

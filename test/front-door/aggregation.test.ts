// An API server of a user's own behind an APIService: requests reach it through Rollcall, with the identity of their caller.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:http2'
import { createServer, request, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthority, createCertificate } from '../../src/cluster/credentials/certificates.ts'
import { kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

const group = 'zoo.example.com'
const lion = {
  apiVersion: `${group}/v1`,
  kind: 'Animal',
  metadata: { name: 'leo', namespace: 'default', resourceVersion: '7', uid: 'u-1' },
}
const resources = [
  {
    name: 'animals',
    singularName: 'animal',
    namespaced: true,
    kind: 'Animal',
    verbs: ['get', 'list', 'watch', 'create'],
    shortNames: ['an'],
  },
  { name: 'animals/status', singularName: '', namespaced: true, kind: 'Animal', verbs: ['get', 'update'] },
]

const openApi = {
  openapi: '3.0.0',
  info: { title: 'zoo', version: '1' },
  paths: {
    [`/apis/${group}/v1/namespaces/{namespace}/animals`]: {
      get: {
        'x-kubernetes-action': 'list',
        'x-kubernetes-group-version-kind': { group, version: 'v1', kind: 'Animal' },
        responses: { 200: { description: 'OK' } },
      },
    },
  },
  components: {
    schemas: {
      'com.example.zoo.v1.Animal': {
        type: 'object',
        description: 'Animal lives in the zoo.',
        properties: { legs: { type: 'integer', description: 'How many legs it has.' } },
        'x-kubernetes-group-version-kind': [{ group, version: 'v1', kind: 'Animal' }],
      },
    },
  },
}

interface Seen {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly certificate: string | undefined
  readonly body: string
}

const chunked = 'transfer-encoding: chunked\r\n\r\n'
const text = (body: string) => `content-length: ${body.length}\r\n\r\n${body}`

/** What a broken or hostile server sends, byte for byte, by the last segment of the path. */
const rawResponses: Readonly<Record<string, string>> = {
  'status-000': `HTTP/1.1 000 Zero\r\n${text('zero')}`,
  'status-600': `HTTP/1.1 600 Odd\r\n${text('odd')}`,
  'status-999': `HTTP/1.1 999 Odd\r\n${text('odd')}`,
  upgrade: 'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n',
  settings: `HTTP/1.1 200 OK\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\n${text('{}')}`,
  prototype: `HTTP/1.1 200 OK\r\n__proto__: x\r\n${text('{}')}`,
  garbage: 'this is not HTTP\r\n\r\n',
  'cut-off': `HTTP/1.1 200 OK\r\n${chunked}4\r\nhalf\r\n`,
}

const seen: Seen[] = []
/** Called when a request that is never answered ends. */
let onAbandoned = () => {}
const seenAt = (path: string) => seen.findLast((one) => one.path.split('?')[0] === path)

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  const { socket, url = '', headers } = incoming
  const certificate = (socket as TLSSocket).getPeerCertificate().subject?.CN
  seen.push({ path: url, headers, certificate, body: Buffer.concat(pieces).toString() })
  const send = (code: number, body: unknown) => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const { pathname, searchParams } = new URL(url, 'https://zoo')
  if (pathname === `/apis/${group}/v1`)
    return send(200, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v1`, resources })
  if (pathname === '/openapi/v3')
    return send(200, { paths: { [`apis/${group}/v1`]: { serverRelativeURL: `/openapi/v3/apis/${group}/v1?hash=A1` } } })
  if (pathname === `/openapi/v3/apis/${group}/v1`) return send(200, openApi)
  if (pathname.endsWith('/animals') && incoming.method === 'POST') return send(201, lion)
  if (pathname.endsWith('/animals') && searchParams.get('watch')) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(`${JSON.stringify({ type: 'ADDED', object: lion })}\n`)
    return
  }
  if (pathname.endsWith('/animals'))
    return send(200, { kind: 'AnimalList', apiVersion: `${group}/v1`, metadata: { resourceVersion: '7' }, items: [lion] })
  if (pathname.endsWith('/animals/leo')) return send(200, lion)
  const raw = rawResponses[pathname.split('/').at(-1)!]
  if (raw !== undefined) return void socket.end(raw)
  if (pathname.endsWith('/animals/asleep')) return void response.once('close', onAbandoned)
  send(404, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404, message: 'no such animal' })
}

let cluster: RunningCluster
let server: Server
let port: number
const authority = createAuthority('zoo', Date.now())

/** Asynchronous: the server runs in this process. */
function kubectl(args: readonly string[], input = ''): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn('kubectl', ['--kubeconfig', cluster.kubeconfig, ...args], { env: { ...process.env, HOME: cluster.folder } })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()))
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout, stderr })))
}

/** The status of the response over HTTP/2, or that it broke off. */
function askHttp2(path: string): Promise<unknown> {
  const session = connect(cluster.url, { rejectUnauthorized: false })
  session.on('error', () => {})
  return new Promise((resolve) => {
    let status: unknown
    const stream = session.request({ ':path': path, authorization: `Bearer ${cluster.token}` })
    stream.on('response', (headers) => (status = headers[':status']))
    stream.on('error', () => resolve('broken off'))
    stream.on('close', () => resolve(stream.rstCode === 0 ? status : 'broken off'))
    stream.resume()
  }).finally(() => session.destroy())
}

const apiServicePath = `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`

/** Follows the APIService until its condition has the reason. */
async function untilReason(reason: string): Promise<{ readonly status: string; readonly message: string }> {
  const condition = `jsonpath={.status.conditions[?(@.type=="Available")].reason}=${reason}`
  const { status, stderr } = await kubectl(['wait', `apiservice/v1.${group}`, `--for=${condition}`, '--timeout=60s'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { json } = await cluster.ask('GET', apiServicePath)
  return (json as { status: { conditions: [{ status: string; message: string }] } }).status.conditions[0]
}

async function listen(at: number): Promise<void> {
  const { key, certificate } = createCertificate(authority, { commonName: 'zoo', use: 'server', hosts: ['zoo.default.svc'] }, Date.now())
  server = createServer({ key, cert: certificate, requestCert: true, rejectUnauthorized: false }, (incoming, response) => {
    void answer(incoming, response)
  })
  // An upgraded connection echoes what it receives.
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
    socket.pipe(socket)
  })
  server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
}

function stopListening(): Promise<unknown> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  return closed
}

describe.skipIf(kubectlMinor() === undefined)('an APIService with a service', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await listen(0)
    cluster = await startCluster()
    await cluster.ask('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `v1.${group}` },
      spec: {
        group,
        version: 'v1',
        groupPriorityMinimum: 17_450,
        versionPriority: 10,
        caBundle: Buffer.from(authority.certificate).toString('base64'),
        service: { namespace: 'default', name: 'zoo', port },
      },
    })
  }, 60_000)
  afterAll(async () => {
    await cluster?.stop()
    server?.closeAllConnections()
    server?.close()
  })

  test('is unavailable without its Service', async () => {
    expect(await untilReason('ServiceNotFound')).toMatchObject({ status: 'False', message: 'service/zoo in "default" is not present' })
    const { code, text } = await cluster.ask('GET', `/apis/${group}/v1/animals`)
    expect({ code, text }).toEqual({ code: 503, text: 'service unavailable\n' })
  })

  test('is available as soon as the server behind its Service answers', async () => {
    await cluster.ask('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'zoo' },
      spec: { type: 'ExternalName', externalName: '127.0.0.1.nip.invalid' },
    })
    await untilReason('FailedDiscoveryCheck')
    const patched = await cluster.ask(
      'PATCH',
      '/api/v1/namespaces/default/services/zoo',
      { spec: { externalName: 'localhost' } },
      { 'content-type': 'application/merge-patch+json' },
    )
    expect(patched.code).toBe(200)
    expect(await untilReason('Passed')).toMatchObject({ status: 'True', message: 'all checks passed' })
  })

  test.each([
    ['a status of 000', 'status-000', 502],
    ['a status of 600', 'status-600', 502],
    ['a status of 999', 'status-999', 502],
    ['an upgrade that was not requested', 'upgrade', 502],
    ['a header of HTTP/2 itself', 'settings', 200],
    ['a header called __proto__', 'prototype', 200],
    ['no HTTP', 'garbage', 503],
    ['a response that breaks off', 'cut-off', 'broken off'],
  ])('survives %s', async (_name, animal, expected) => {
    const path = `/apis/${group}/v1/namespaces/default/animals/${animal}`
    const first = await cluster.ask('GET', path).then(
      ({ code }) => code,
      () => 'broken off',
    )
    expect(first).toBe(expected)
    expect(await askHttp2(path)).toBe(expected)
    expect((await cluster.ask('GET', '/readyz')).code).toBe(200)
  })

  test('appears in discovery by its priority', async () => {
    const { json } = await cluster.ask('GET', '/apis')
    const names = (json as { groups: { name: string }[] }).groups.map(({ name }) => name)
    const at = names.indexOf(group)
    expect(names.slice(at - 1, at + 2)).toEqual(['autoscaling', group, 'batch'])
    expect((await kubectl(['api-resources', '--api-group', group, '--no-headers'])).stdout).toMatch(
      /^animals +an +zoo\.example\.com\/v1 +true +Animal\n$/,
    )
    const { stdout } = await kubectl(['get', 'apiservices', '--no-headers'])
    expect(stdout).toMatch(/^v1\.apps +Local +True /m)
    expect(stdout).toMatch(/^v1\.zoo\.example\.com +default\/zoo +True /m)
  })

  test('has its OpenAPI document in the index, and serves it itself', async () => {
    const { json } = await cluster.ask('GET', '/openapi/v3')
    expect((json as { paths: Record<string, unknown> }).paths).toMatchObject({
      'apis/apps/v1': {},
      [`apis/${group}/v1`]: { serverRelativeURL: `/openapi/v3/apis/${group}/v1?hash=A1` },
    })
    const { stdout } = await kubectl(['explain', 'animals.legs'])
    expect(stdout).toContain('How many legs it has.')
  })

  test('does not wait for a server that never answers, and ends the request to it', async () => {
    const abandoned = new Promise<void>((resolve) => {
      onAbandoned = resolve
    })
    const { code, json } = await cluster.ask('GET', `/apis/${group}/v1/namespaces/default/animals/asleep?timeout=1s`)
    expect({ code, json }).toMatchObject({ code: 504, json: { reason: 'Timeout' } })
    await abandoned
  })

  test('serves get, list and create', async () => {
    expect((await kubectl(['get', 'animals', '-o', 'name'])).stdout).toBe('animal.zoo.example.com/leo\n')
    expect((await kubectl(['get', 'an', 'leo', '-o', 'jsonpath={.metadata.uid}'])).stdout).toBe('u-1')
    expect((await kubectl(['get', 'an', 'nemo'])).stderr).toContain('no such animal')
    const created = await kubectl(['create', '--validate=false', '-f', '-'], JSON.stringify(lion))
    expect(created.stdout).toBe('animal.zoo.example.com/leo created\n')
  })

  test('receives the caller, and no credentials', async () => {
    await cluster.ask('GET', `/apis/${group}/v1/namespaces/default/animals/leo?pretty=1`, undefined, {
      'x-remote-user': 'mallory',
      'impersonate-user': 'ada',
      'impersonate-group': 'system:masters',
      'impersonate-extra-a%2fb': 'c',
    })
    const last = seenAt(`/apis/${group}/v1/namespaces/default/animals/leo`)!
    expect(last.certificate).toBe('front-proxy-client')
    expect(last.path).toMatch(/\?pretty=1$/)
    expect(last.headers).toMatchObject({
      'x-remote-user': 'ada',
      'x-remote-group': 'system:masters, system:authenticated',
      'x-remote-extra-a%2fb': 'c',
    })
    expect(last.headers.authorization).toBeUndefined()
    expect(last.headers['impersonate-user']).toBeUndefined()
    const map = await cluster.ask('GET', '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication')
    expect(map.json).toMatchObject({
      data: {
        'requestheader-allowed-names': '["front-proxy-client"]',
        'requestheader-client-ca-file': expect.stringContaining('BEGIN CERTIFICATE'),
      },
    })
  })

  test('is authorized before the request is passed on', async () => {
    const before = seen.length
    const { status, stderr } = await kubectl(['get', '--raw', `/apis/${group}/v1/namespaces/default/animals`, '--as', 'eve'])
    expect(status).toBe(1)
    expect(stderr).toContain('cannot list resource "animals" in API group "zoo.example.com" in the namespace "default"')
    expect(seen.slice(before).filter(({ headers }) => headers['x-remote-user'] === 'eve')).toEqual([])
  })

  test('streams a watch', async () => {
    const child = spawn('kubectl', ['--kubeconfig', cluster.kubeconfig, 'get', '--raw', `/apis/${group}/v1/animals?watch=1`])
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill()
    await once(child, 'close')
    expect(JSON.parse(line.toString())).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'leo' } } })
  })

  test('takes over an upgraded connection', async () => {
    const headers = { authorization: `Bearer ${cluster.token}`, connection: 'Upgrade', upgrade: 'echo' }
    const outgoing = request(`${cluster.url}/apis/${group}/v1/namespaces/default/animals/leo/roar`, { headers, rejectUnauthorized: false })
    outgoing.end()
    const [response, socket] = (await once(outgoing, 'upgrade')) as [IncomingMessage, TLSSocket]
    socket.write('roar')
    const [echo] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    expect({ upgrade: response.headers.upgrade, echo: echo.toString() }).toEqual({ upgrade: 'echo', echo: 'roar' })
  })

  test('is unavailable while its server is down, and returns with it', async () => {
    await stopListening()
    const { code } = await cluster.ask('GET', `/apis/${group}/v1/animals`)
    expect(code).toBe(503)
    await listen(port)
    const touched = await cluster.ask(
      'PATCH',
      '/api/v1/namespaces/default/services/zoo',
      { metadata: { labels: { a: 'b' } } },
      { 'content-type': 'application/merge-patch+json' },
    )
    expect(touched.code).toBe(200)
    await untilReason('Passed')
    expect((await kubectl(['get', 'animals', '-o', 'name'])).stdout).toBe('animal.zoo.example.com/leo\n')
  })

  test('is local without a service', async () => {
    const { status } = await kubectl([
      'patch',
      'apiservice',
      `v1.${group}`,
      '--type=json',
      '-p',
      '[{"op":"remove","path":"/spec/service"},{"op":"remove","path":"/spec/caBundle"}]',
    ])
    expect(status).toBe(0)
    expect(await untilReason('Local')).toMatchObject({ status: 'True', message: 'Local APIServices are always available' })
  })

  test('ends when it is deleted', async () => {
    expect((await kubectl(['delete', 'apiservice', `v1.${group}`])).status).toBe(0)
    const { code } = await cluster.ask('GET', `/apis/${group}/v1/animals`)
    expect(code).toBe(404)
    const { json } = await cluster.ask('GET', '/apis')
    expect((json as { groups: { name: string }[] }).groups.map(({ name }) => name)).not.toContain(group)
  })

  test('returns when it is deleted, if it is that of a custom resource', async () => {
    await cluster.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'toys.shop.example.com' },
      spec: {
        group: 'shop.example.com',
        scope: 'Namespaced',
        names: { plural: 'toys', kind: 'Toy' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    })
    const name = 'apiservice/v1.shop.example.com'
    expect((await kubectl(['wait', name, '--for=create', '--timeout=60s'])).status).toBe(0)
    expect((await kubectl(['delete', name, '--wait=false'])).status).toBe(0)
    expect((await kubectl(['wait', name, '--for=create', '--timeout=60s'])).status).toBe(0)
  })
})

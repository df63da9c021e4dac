// Commands in containers, and what their servers answer, through a real socket.
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nodes, pods } from '../../../api/kinds.ts'
import type { Authorizer } from '../../auth/authorizer.ts'
import { ask1, startTestServer, type TestServer, token } from '../../http/testing/test-server.ts'

const inA = '/api/v1/namespaces/a/pods'
const key = 'dGhlIHNhbXBsZSBub25jZQ=='
const usual: Readonly<Record<string, string>> = {
  upgrade: 'websocket',
  'sec-websocket-key': key,
  'sec-websocket-version': '13',
  'sec-websocket-protocol': 'v5.channel.k8s.io',
}

let server: TestServer
let stopped = 0
beforeAll(async () => {
  server = await startTestServer({
    exec(_pod, container, command, { onOutput, onEnd }, input) {
      if (container === 'gone') return undefined
      if (input !== undefined) onOutput(input, false)
      onOutput(`${container}: ${command.join(' ')}\n`, false)
      onOutput('oh\n', true)
      if (command[0] !== 'wait') setImmediate(() => onEnd(Number(command[1] ?? 0)))
      return () => stopped++
    },
    readLog: (_pod, { follow }) =>
      follow
        ? (async function* () {
            yield 'one\n'
            yield 'two\n'
          })()
        : 'all\n',
    respondHttp: (_pod, container, { method, path, port, isTls }) => {
      if (path === '/none') return undefined
      if (path === '/page') return { code: 200, body: '<a href="/x">', contentType: 'text/html; charset=utf-8' }
      return { code: path === '/x/y' ? 418 : 200, body: `${container} ${path} ${method} ${port}${isTls ? ' tls' : ''}` }
    },
  })
})
afterAll(() => server.close())
beforeEach(() => {
  const containers = [
    { name: 'c', ports: [{ containerPort: 80 }] },
    { name: 'd', ports: [{ name: 'web', containerPort: 81 }] },
  ]
  server.rest.put(nodes, { metadata: { name: 'n' }, status: { addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] } })
  server.rest.put(pods, { metadata: { name: 'one', namespace: 'a' }, spec: { nodeName: 'n', containers: [{ name: 'c' }] } })
  server.rest.put(pods, { metadata: { name: 'two', namespace: 'a' }, spec: { nodeName: 'n', containers }, status: { podIP: '10.0.0.1' } })
  const containerStatuses = [{ name: 'c', state: { running: {} } }]
  const spec = { nodeName: 'n', containers: [{ name: 'c' }] }
  server.rest.put(pods, { metadata: { name: 'logged', namespace: 'a' }, spec, status: { containerStatuses } })
  server.rest.put(pods, { metadata: { name: 'gone', namespace: 'a' }, spec: { nodeName: 'n', containers: [{ name: 'gone' }] } })
  server.rest.put(pods, { metadata: { name: 'lost', namespace: 'a' }, spec: { nodeName: 'missing', containers: [{ name: 'c' }] } })
  server.rest.put(pods, { metadata: { name: 'unbound', namespace: 'a' }, spec: { containers: [{ name: 'c' }] } })
})

function ask(
  path: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ socket: TLSSocket; read(until: string): Promise<string> }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }, () => {
      const headers = { host: 'x', connection: 'Upgrade', authorization: `Bearer ${token}`, ...usual, ...more }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      socket.write([`GET ${inA}/${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    })
    let text = ''
    let wake = () => {}
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
      wake()
    })
    socket.on('end', () => wake())
    socket.on('error', reject)
    const read = async (until: string) => {
      while (!text.includes(until) && !socket.readableEnded)
        await new Promise<void>((done) => {
          wake = done
        })
      return text
    }
    resolve({ socket, read })
  })
}

/** A binary message of a client, which has to mask it: here with zeros. */
const masked = (payload: Buffer) => {
  const length = payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 255]
  return Buffer.concat([Buffer.from([0x82, ...length, 0, 0, 0, 0]), payload])
}

describe('exec over WebSocket', () => {
  it('sends output, complaints and the end, each in its channel', async () => {
    const { read } = await ask('one/exec?command=ls&command=0&stdout=true&stderr=true')
    const text = await read('\x88')
    expect(text).toContain('HTTP/1.1 101 Switching Protocols\r\n')
    expect(text).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: v5.channel.k8s.io\r\n\r\n')
    expect(text).toContain('\x01c: ls 0\n')
    expect(text).toContain('\x02oh\n')
    expect(text).toContain('\x03{"metadata":{},"status":"Success"}\x88\x02\x03\xe8')
  })

  it('reports the exit code, and omits streams that were not requested', async () => {
    const { read } = await ask('one/exec?command=false&command=3')
    const text = await read('\x88')
    expect(text).toContain('"reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}')
    expect(text).not.toContain('oh')
  })

  it('supports the protocol without a version', async () => {
    const old = { 'sec-websocket-protocol': 'channel.k8s.io' }
    const good = await (await ask('one/exec?command=ls&stdout=1', old)).read('\x88')
    expect(good).toContain('\x01c: ls\n\x88')
    const bad = await (await ask('one/exec?command=ls&command=2&stdout=1', old)).read('\x88')
    expect(bad).toContain('\x03command terminated with non-zero exit code: exit status 2\x88')
  })

  it.each([
    ['ends it', true],
    ['does not say where it ends', false],
  ])('passes on the input of a client that %s', async (_name, ends) => {
    const { socket, read } = await ask('logged/exec?command=cat&stdin=true&stdout=true')
    await read('\r\n\r\n')
    for (const message of ['\0one ', '\0\xff\n', ...(ends ? ['\xff\0'] : [])]) socket.write(masked(Buffer.from(message, 'latin1')))
    expect(await read('\x88')).toContain('\x01one \xff\n')
  })

  it('does not wait for input where there is no container, and refuses too much of it', async () => {
    const { read } = await ask('gone/exec?command=cat&stdin=true&stdout=true')
    expect(await read('"status":"Failure"')).toContain('container not found')
    const long = await ask('logged/exec?command=cat&stdin=true&stdout=true&stderr=true')
    await long.read('\r\n\r\n')
    for (let part = 0; part < 20; part++) long.socket.write(masked(Buffer.concat([Buffer.from([0]), Buffer.alloc(60_000)])))
    long.socket.write(masked(Buffer.from([255, 0])))
    expect(await long.read('\x88')).toContain('reads at most 1 MiB of input')
  })

  it('says that nothing can be typed', async () => {
    const { read } = await ask('one/exec?command=sh&stdin=true&stdout=true&tty=true')
    expect(await read('\x88')).toContain('\x01Nothing can be typed into a simulated container.')
  })

  it('stops when the client disconnects', async () => {
    const before = stopped
    const { socket, read } = await ask('one/exec?command=wait&stdout=true')
    await read('\x01c: wait\n')
    socket.destroy()
    await expect.poll(() => stopped).toBe(before + 1)
  })

  it.each<[name: string, path: string, more: Record<string, string>, answer: string]>([
    ['no pod', 'none/exec?command=ls', {}, 'pods \\"none\\" not found'],
    ['no such container', 'one/exec?command=ls&container=x', {}, 'container x is not valid for pod one'],
    ['no container named', 'two/exec?command=ls', {}, 'a container name must be specified for pod two, choose one of: [c d]'],
    ['no command', 'one/exec', {}, 'you must specify at least 1 command for the container'],
    ['no node', 'unbound/exec?command=ls', {}, 'pod unbound does not have a host assigned'],
    ['a node that does not exist', 'lost/exec?command=ls', {}, 'pods \\"missing\\" not found'],
    ['forwarding to such a node', 'lost/portforward?ports=80', {}, 'pods \\"missing\\" not found'],
    ['a container that has ended', 'gone/exec?command=ls', {}, 'container not found (\\"gone\\")'],
    ['a container that has ended, the old way', 'gone/exec?command=ls', { upgrade: 'SPDY/3.1' }, 'container not found (\\"gone\\")'],
    ['another protocol', 'logged/exec?command=ls', { 'sec-websocket-protocol': 'x' }, 'it takes WebSocket with v5.channel.k8s.io'],
    ['another upgrade', 'logged/exec?command=ls', { upgrade: 'SPDY/3.1' }, 'it takes WebSocket with v5.channel.k8s.io'],
    ['no credentials', 'one/exec?command=ls', { authorization: 'Bearer x' }, 'Unauthorized'],
  ])('refuses %s', async (_name, path, more, answer) => {
    const { read } = await ask(path, more)
    const text = await read('"status":"Failure"')
    expect(text).toContain(answer)
    expect(text).not.toContain(' 101 ')
  })

  it('responds normally to a request for an unknown protocol', async () => {
    const { read } = await ask('one', { upgrade: 'h2c' })
    expect(await read('}\n')).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*"name":"one"/)
  })
})

describe('exec, attach and port-forward of a user who may only get', () => {
  let restricted: TestServer
  beforeAll(async () => {
    const authorize = (_caller: unknown, { verb }: { verb: string }) => ({ allowed: verb !== 'create', reason: '' })
    restricted = await startTestServer({ authorizer: { authorize } as unknown as Authorizer })
  })
  afterAll(() => restricted.close())

  it.each(['exec', 'attach', 'portforward'])('%s', async (subresource) => {
    const path = `${inA}/one/${subresource}?command=ls&ports=80`
    const { code, json } = await ask1(restricted, { path, headers: { authorization: 'Bearer weak' } })
    expect({ code, message: json.message }).toEqual({
      code: 403,
      message: `pods "one" is forbidden: User "bob" cannot create resource "pods/${subresource}" in API group "" in the namespace "a"`,
    })
  })
})

describe('logs over WebSocket', () => {
  it('come as messages, and end', async () => {
    const { read } = await ask('logged/log?follow=true', { 'sec-websocket-protocol': 'binary.k8s.io' })
    const text = await read('\x88')
    expect(text).toContain('Sec-WebSocket-Protocol: binary.k8s.io\r\n')
    expect(text).toContain('\x82\x04one\n\x82\x04two\n\x88')
    expect(await (await ask('logged/log')).read('\x88')).toContain('\x82\x04all\n\x88')
  })
})

describe('proxy', () => {
  it.each<[path: string, code: number, text: string]>([
    ['two/proxy/', 200, 'c / GET 80'],
    ['two/proxy/?a=b', 200, 'c /?a=b GET 80'],
    ['two:81/proxy/a/proxy/b', 200, 'd /a/proxy/b GET 81'],
    ['two:web/proxy/', 200, 'd / GET web'],
    ['https:two:81/proxy/x/y', 418, 'd /x/y GET 81 tls'],
    ['two/proxy/page', 200, `<a href="${inA}/two/proxy/x">`],
    ['two/proxy/none', 400, 'what its server would answer is not known'],
    ['one/proxy/', 400, 'address not allowed'],
    ['zero/proxy/', 404, 'pods \\"zero\\" not found'],
  ])('%s', async (path, code, text) => {
    const answer = await ask1(server, { path: `${inA}/${path}` })
    expect(answer.code).toBe(code)
    expect(answer.text).toContain(text)
  })

  it.each(['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT'])('passes %s on, also without a path', async (method) => {
    expect(await ask1(server, { method, path: `${inA}/two/proxy?a=b` })).toMatchObject({ code: 200, text: `c /?a=b ${method} 80` })
  })

  it('redirects to the root of the server where the path has no slash', async () => {
    const { code, headers } = await ask1(server, { path: `${inA}/two/proxy?a=b` })
    expect([code, headers['location']]).toEqual([301, `${inA}/two/proxy/?a=b`])
  })

  it('works in a namespace with the name proxy', async () => {
    const spec = { nodeName: 'n', containers: [{ name: 'c' }] }
    server.rest.put(pods, { metadata: { name: 'three', namespace: 'proxy' }, spec, status: { podIP: '10.0.0.1' } })
    expect(await ask1(server, { path: '/api/v1/namespaces/proxy/pods/three/proxy/a' })).toMatchObject({ text: 'c /a GET 80' })
  })
})

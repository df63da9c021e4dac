// One HTTP/1.1 connection, many writes: no request may be lost, and none may need a second connection.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningCluster, startCluster } from './running-cluster.ts'

const path = '/apis/apps/v1/namespaces/default/deployments/web'
const kilobytes = [1, 20, 100, 500, 1400]
const depth = 6
/** For a longer run: `KEEP_ALIVE_WRITES=100000`. */
const writes = Number(process.env['KEEP_ALIVE_WRITES'] ?? 60)
const writesOf = (kilobyte: number) => Math.max(10, Math.ceil(kilobyte >= 500 ? writes / 5 : writes))

/** A Deployment of about that size. It is never scaled up: only the connection is of interest. */
function deployment(kilobyte: number, i: number): string {
  const env = Array.from({ length: Math.ceil(kilobyte / 20) }, (_, n) => ({
    name: `V${n}`,
    value: 'v'.repeat(kilobyte < 20 ? 500 : 20_000),
  }))
  const labels = { app: 'web' }
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 0,
      paused: true,
      // Every write changes something. It has to stay below progressDeadlineSeconds.
      minReadySeconds: i % 500,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i', env }] } },
    },
  })
}

const stores: readonly [string, readonly string[], string][] = [
  ['on disk', [], tmpdir()],
  ...(existsSync('/dev/shm') ? [['on tmpfs', [], '/dev/shm'] as [string, readonly string[], string]] : []),
  ['in memory', ['--memory'], tmpdir()],
]

const hasPython = spawnSync('python3', ['-c', 'import http.client, ssl']).status === 0
const hasCurl = spawnSync('curl', ['--version']).status === 0

describe.each(stores)('writes over one connection, %s', { timeout: 120_000 }, (_name, flags, parent) => {
  let cluster: RunningCluster
  let ca: string

  beforeAll(async () => {
    cluster = await startCluster(flags, mkdtempSync(join(parent, 'rollcall-')))
    ca = readFileSync(join(cluster.folder, 'credentials/ca.crt'), 'utf8')
    await cluster.ask('POST', '/apis/apps/v1/namespaces/default/deployments', deployment(1, 0))
  })
  afterAll(() => cluster.stop())

  it.each(kilobytes)('Node, one after the other, %i KB', async (kilobyte) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca })
    const sockets = new Set<unknown>()
    const put = (body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${cluster.token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }
        const outgoing = request(new URL(cluster.url), { agent, method: 'PUT', path, headers }, (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode))
          response.on('error', reject)
        })
        outgoing.on('socket', (socket) => sockets.add(socket))
        outgoing.on('error', reject)
        outgoing.end(body)
      })
    for (let i = 0; i < writesOf(kilobyte); i++) expect(await put(deployment(kilobyte, i))).toBe(200)
    expect(sockets.size).toBe(1)
    agent.destroy()
  })

  it.each(kilobytes)(`Node, ${depth} requests ahead of the answers, %i KB`, async (kilobyte) => {
    const socket = connect({ port: Number(new URL(cluster.url).port), host: '127.0.0.1', ca, ALPNProtocols: ['http/1.1'] })
    const total = writesOf(kilobyte)
    const head = `PUT ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${cluster.token}\r\ncontent-type: application/json\r\n`
    let sent = 0
    const send = () => {
      const body = deployment(kilobyte, sent++)
      socket.write(`${head}${sent === total ? 'connection: close\r\n' : ''}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    }
    while (sent < Math.min(depth, total)) send()
    const codes = await readCodes(socket, () => {
      if (sent < total) send()
    })
    expect(codes).toEqual(Array.from({ length: total }, () => '200'))
  })

  it.runIf(hasPython)('Python, 1 KB to 1.4 MB', async () => {
    const script = `
import http.client, json, ssl, sys
host, port, ca, token, path = sys.argv[1:6]
connection = http.client.HTTPSConnection(host, int(port), context=ssl.create_default_context(cafile=ca))
connection.connect()
first = connection.sock
lost = 0
for line in sys.stdin:
    connection.request('PUT', path, line.strip(), {'authorization': 'Bearer ' + token, 'content-type': 'application/json'})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200, answer.status
    lost += connection.sock is not first
print(lost)
`
    const { hostname, port } = new URL(cluster.url)
    const child = spawn('python3', ['-c', script, hostname, port, join(cluster.folder, 'credentials/ca.crt'), cluster.token, path])
    let output = ''
    child.stdout.on('data', (piece) => (output += piece))
    child.stderr.on('data', (piece) => (output += piece))
    const ended = new Promise((resolve) => child.on('close', resolve))
    for (const kilobyte of kilobytes) for (let i = 0; i < 10; i++) child.stdin.write(`${deployment(kilobyte, i)}\n`)
    child.stdin.end()
    await ended
    expect(output.trim()).toBe('0')
  })

  it.runIf(hasCurl)('curl, 1 KB to 1.4 MB', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'curl-'))
    const lines: string[] = []
    for (const kilobyte of kilobytes) {
      const file = join(folder, `${kilobyte}.json`)
      writeFileSync(file, deployment(kilobyte, 0))
      for (let i = 0; i < 6; i++) {
        if (lines.length > 0) lines.push('next')
        lines.push(
          'http1.1',
          'silent',
          'show-error',
          `cacert = ${join(cluster.folder, 'credentials/ca.crt')}`,
          `url = ${cluster.url}${path}`,
        )
        lines.push('request = PUT', `header = "authorization: Bearer ${cluster.token}"`, 'header = "content-type: application/json"')
        lines.push(`data-binary = @${file}`, 'output = /dev/null', 'write-out = "%{http_code} %{num_connects}\\n"')
      }
    }
    const child = spawn('curl', ['--config', '-'])
    let output = ''
    child.stdout.on('data', (piece) => (output += piece))
    child.stderr.on('data', (piece) => (output += piece))
    const ended = new Promise((resolve) => child.on('close', resolve))
    child.stdin.end(`${lines.join('\n')}\n`)
    await ended
    rmSync(folder, { recursive: true })
    expect(output.trim().split('\n')).toEqual(['200 1', ...Array.from({ length: kilobytes.length * 6 - 1 }, () => '200 0')])
  })
})

/** The codes of all answers until the server closes the connection; `onAnswer` is called for each. */
function readCodes(socket: TLSSocket, onAnswer: () => void): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const codes: string[] = []
    let rest = ''
    socket.setEncoding('latin1')
    socket.on('data', (piece: string) => {
      rest += piece
      let end = 0
      for (const match of rest.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        codes.push(match[1]!)
        end = match.index + match[0].length
        onAnswer()
      }
      rest = rest.slice(Math.max(end, rest.length - 11))
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(codes))
  })
}

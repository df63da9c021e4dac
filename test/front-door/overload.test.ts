// Clients that overload the server for as long as they can: it still answers others, and its memory levels off. ROLLCALL_OVERLOAD_SECONDS=600 is the
// full length of each overload.

import { setTimeout as pause } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningCluster, startCluster } from './running-cluster.ts'

const seconds = Number(process.env['ROLLCALL_OVERLOAD_SECONDS'] ?? 5)
const megabyte = 2 ** 20
const maxBytes = 1200 * megabyte
const configMaps = '/api/v1/namespaces/default/configmaps'

interface Attack {
  readonly cluster: RunningCluster
  /** Of a user who is no administrator: limits apply. */
  readonly token: string
  isOver(): boolean
}

const clusters: RunningCluster[] = []
const sockets = new Set<TLSSocket>()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await Promise.all(clusters.splice(0).map((cluster) => cluster.stop()))
})

/** Resolves when it is connected. It reads nothing unless `reads`. */
async function open({ cluster }: Attack, reads: boolean): Promise<TLSSocket> {
  const { hostname, port } = new URL(cluster.url)
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  sockets.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
  if (reads) socket.resume()
  else socket.pause()
  await new Promise<void>((resolve) => {
    socket.once('secureConnect', resolve)
    socket.once('close', resolve)
  })
  return socket
}

const head = ({ token }: Attack, method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`

const posted = (attack: Attack, length: number) =>
  head(attack, 'POST', configMaps, `Content-Type: application/json\r\nContent-Length: ${length}\r\n`)

/** Keeps so many at a time open, each until it ends or the attack is over. */
async function keepOpen(attack: Attack, count: number, run: () => Promise<TLSSocket>): Promise<void> {
  const one = async () => {
    while (!attack.isOver()) {
      const socket = await run()
      while (!attack.isOver() && !socket.destroyed) await pause(100)
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: count }, one))
}

/** The answer does not matter. */
const ask = async ({ cluster, token }: Attack, method: string, path: string, body?: unknown, type = 'application/json') => {
  await cluster.ask(method, path, body, { authorization: `Bearer ${token}`, 'content-type': type }).catch(() => {})
}

/** What there is to list: 20 MB. */
async function fill(cluster: RunningCluster): Promise<void> {
  const data = { value: 'x'.repeat(200_000) }
  for (let i = 0; i < 100; i++) await cluster.ask('POST', configMaps, { metadata: { name: `large-${i}` }, data })
}

const nested = (text: string, length: number) => text.repeat(Math.floor(length / text.length))

const attacks: Readonly<Record<string, (attack: Attack) => Promise<void>>> = {
  'half bodies': (attack) =>
    keepOpen(attack, 400, async () => {
      const socket = await open(attack, true)
      socket.write(posted(attack, 3_000_000))
      socket.write('x'.repeat(1_500_000))
      return socket
    }),
  'huge lists that nobody reads': (attack) =>
    keepOpen(attack, 200, async () => {
      const socket = await open(attack, false)
      socket.write(head(attack, 'GET', configMaps))
      return socket
    }),
  'huge lists': async (attack) => {
    const read = async () => {
      while (!attack.isOver()) await ask(attack, 'GET', configMaps)
    }
    await Promise.all(Array.from({ length: 8 }, read))
  },
  'stalled watchers': async (attack) => {
    const write = async () => {
      for (let i = 0; !attack.isOver(); i++)
        await ask(attack, i === 0 ? 'POST' : 'PUT', i === 0 ? configMaps : `${configMaps}/busy`, {
          metadata: { name: 'busy' },
          data: { value: String(i).repeat(20_000) },
        })
    }
    const watch = () =>
      keepOpen(attack, 500, async () => {
        const socket = await open(attack, false)
        socket.write(head(attack, 'GET', `${configMaps}?watch=1`))
        return socket
      })
    await Promise.all([write(), watch()])
  },
  pipelining: (attack) =>
    keepOpen(attack, 100, async () => {
      const socket = await open(attack, false)
      socket.write(head(attack, 'GET', configMaps).repeat(2000))
      return socket
    }),
  'deep nesting': async (attack) => {
    const bodies: readonly (readonly [string, string])[] = [
      [nested('[', 2_900_000), 'application/json'],
      [nested('{"a":', 2_900_000), 'application/json'],
      [`{"metadata":{"name":"deep"},"data":${nested('{"a":', 1_000_000)}`, 'application/json'],
      [nested('- ', 900_000), 'application/yaml'],
      [nested('{', 900_000), 'application/yaml'],
    ]
    const send = async (first: number) => {
      for (let i = first; !attack.isOver(); i++) {
        const [body, type] = bodies[i % bodies.length]!
        await ask(attack, 'POST', configMaps, body, type)
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, i) => send(i)))
  },
}

/** A service account that may do everything, as an administrator of a namespace may in its own. */
async function createTenant(cluster: RunningCluster): Promise<string> {
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  await cluster.ask('POST', accounts, { metadata: { name: 'tenant' } })
  await cluster.ask('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'tenant' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'tenant', namespace: 'default' }],
  })
  const { json } = await cluster.ask('POST', `${accounts}/tenant/token`, { spec: {} })
  return (json as { readonly status: { readonly token: string } }).status.token
}

async function residentBytes(cluster: RunningCluster): Promise<number> {
  const { code, text } = await cluster.ask('GET', '/metrics')
  expect(code, text).toBe(200)
  return Number(/^process_resident_memory_bytes ([\d.e+]+)/m.exec(text)?.[1])
}

describe('an overload', () => {
  it.each(Object.keys(attacks))(
    '%s',
    async (name) => {
      const cluster = await startCluster()
      clusters.push(cluster)
      const token = await createTenant(cluster)
      await fill(cluster)
      const before = await residentBytes(cluster)
      let isOver = false
      const attacking = attacks[name]!({ cluster, token, isOver: () => isOver })
      const samples: number[] = []
      for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; await pause(250)) {
        samples.push(await residentBytes(cluster))
        // A write of an administrator.
        const map = { metadata: { generateName: 'probe-' } }
        const { code, json } = await cluster.ask('POST', configMaps, map)
        expect(code).toBe(201)
        await cluster.ask('DELETE', `${configMaps}/${(json as { readonly metadata: { readonly name: string } }).metadata.name}`)
      }
      isOver = true
      await attacking
      const half = Math.ceil(samples.length / 2)
      const [first, second] = [Math.max(...samples.slice(0, half)), Math.max(...samples.slice(half))]
      const inMegabytes = [before, first, second, await residentBytes(cluster)].map((bytes) => Math.round(bytes / megabyte))
      console.log(
        `${name}, ${seconds} s: ${inMegabytes.join(', ')} MB before, in the first and the second half, after; ${samples.length} probes`,
      )
      expect(Math.max(first, second)).toBeLessThan(maxBytes)
      expect(cluster.process.exitCode).toBeNull()
    },
    seconds * 1000 + 120_000,
  )
})

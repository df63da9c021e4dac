// The API server from outside: over TLS, from a process of its own. Prints one table. docs/benchmarks.md describes the rows
// and the flags.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { availableParallelism, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readTarget, type Target } from './kubeconfig.ts'
import { pause, withFolder } from './measuring.ts'
import { Requests } from './requests.ts'
import { type StartedServer, startServer } from './started-server.ts'
import { median, number, printTable, quantile, type Row } from './table.ts'

const rowNames = ['start', 'creates', 'get', 'watch', 'list', 'growth', 'in-process'] as const
type RowName = (typeof rowNames)[number]

const here = dirname(fileURLToPath(import.meta.url))
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubeconfig: { type: 'string' },
    quick: { type: 'boolean', default: false },
    pods: { type: 'string' },
    command: { type: 'string', default: join(here, 'rollcall.mjs') },
  },
})
const unknown = positionals.filter((name) => !(rowNames as readonly string[]).includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown[0]}": give some of ${rowNames.join(', ')}, or store`)
  process.exit(2)
}
const wants = (name: RowName) => positionals.length === 0 || positionals.includes(name)

/** A cluster to measure. Memory and processor time are known only of one that this benchmark started. */
interface Measured {
  readonly target: Target
  readonly server?: StartedServer
}

const scale = flags.quick ? 0.1 : 1
const sizes = (() => {
  const maxPods = Number(flags.pods ?? (flags.kubeconfig === undefined ? 100_000 : 10_000)) * scale
  const listed = Math.min(maxPods, 10_000 * scale)
  if (!wants('growth')) return [listed]
  return [...new Set([listed / 10, listed, maxPods])]
})()

// The server gives memory back some ten seconds after the last request.
const settlingMs = 20_000

const rows: Row[] = []

function add(what: string, unit: 'perSecond' | 'ms' | 'MB', value: number, target?: number, cost?: string): void {
  const show = (amount: number) => (unit === 'perSecond' ? `${number(amount, 0)}/s` : `${number(amount)} ${unit}`)
  rows.push({
    what,
    result: show(value),
    ...(target !== undefined && { target: show(target), ratio: unit === 'perSecond' ? value / target : target / value }),
    ...(cost !== undefined && { cost }),
  })
  process.stderr.write('.')
}

/** Microseconds of the server's processors for each of `count`. */
async function withCost<T>({ server }: Measured, count: number, run: () => Promise<T>): Promise<{ result: T; micros: number }> {
  const before = server?.cpuSeconds() ?? Number.NaN
  const result = await run()
  return { result, micros: (((server?.cpuSeconds() ?? Number.NaN) - before) * 1e6) / count }
}

const costText = (micros: number) =>
  Number.isNaN(micros) ? undefined : micros >= 1000 ? `${number(micros / 1000)} ms` : `${number(micros)} µs`

async function measureRequests(measured: Measured, namespace: string): Promise<void> {
  const requests = new Requests(measured.target)
  try {
    if (wants('creates') || wants('get')) {
      await requests.createNamespace(namespace)
      // Until V8 has compiled the code that it will compile.
      await requests.createPods(namespace, 'warm', 0, 6000 * scale, 32)
      const alone = 5000 * scale
      if (wants('creates')) {
        const one = await withCost(measured, alone, () => requests.createPods(namespace, 'alone', 0, alone, 1))
        add('create a pod, 1 client', 'perSecond', alone / one.result, 1500, costText(one.micros))
        const together = 12_000 * scale
        const many = await withCost(measured, together, () => requests.createPods(namespace, 'together', 0, together, 32))
        add('create a pod, 32 clients', 'perSecond', together / many.result, 4000, costText(many.micros))
      }
      if (wants('get')) {
        const reads = 5000 * scale
        await requests.getPods(namespace, 'warm', 2000 * scale, reads / 5)
        const { result, micros } = await withCost(measured, reads, () => requests.getPods(namespace, 'warm', 2000 * scale, reads))
        add('get a pod, p50', 'ms', median(result), 0.3, costText(micros))
        add('get a pod, p99', 'ms', quantile(result, 0.99))
      }
    }
    if (wants('watch')) {
      const watched = `${namespace}-watch`
      await requests.createNamespace(watched)
      const [watchers, pods] = [50, 6000 * scale]
      const { result, micros } = await withCost(measured, watchers * pods, () => requests.watchCreates(watched, watchers, pods, 32))
      add('deliveries to 50 watchers', 'perSecond', (watchers * pods) / result, 150_000, costText(micros))
    }
  } finally {
    if (flags.kubeconfig !== undefined) await cleanUp(requests, [namespace, `${namespace}-watch`])
    requests.close()
  }
}

interface AtSize {
  readonly pods: number
  readonly listMs: number
  readonly getMs: number
  readonly createMicros: number
  readonly megabytes: number
}

/** Fills the cluster with running pods, and measures at each size. */
async function measureSizes(measured: Measured, namespace: string): Promise<AtSize[]> {
  const requests = new Requests(measured.target)
  const found: AtSize[] = []
  try {
    await requests.createNamespace(namespace)
    if (wants('growth')) await requests.createNamespace(`${namespace}-more`)
    let filled = 0
    for (const pods of sizes) {
      await requests.createPods(namespace, 'running', filled, pods - filled, 32, true)
      filled = pods
      await pause(2000)
      const busyMegabytes = measured.server?.memoryMegabytes().resident ?? Number.NaN
      // Memory that the load has left behind is not memory of the pods.
      if (measured.server !== undefined) await pause(settlingMs)
      const { resident: megabytes, own } = measured.server?.memoryMegabytes() ?? { resident: Number.NaN, own: Number.NaN }
      await requests.listPods(namespace, pods, 2)
      const times = pods > 50_000 ? 5 : 9
      const { result: list, micros } = await withCost(measured, times, () => requests.listPods(namespace, pods, times))
      const listMs = median(list.ms)
      if (pods === 10_000 * scale) {
        const what = `list ${number(pods, 0)} running pods of ${number(list.podBytes, 0)} bytes`
        add(what, 'ms', listMs, 150 * scale, costText(micros))
        if (!Number.isNaN(megabytes)) add(`memory with ${number(pods, 0)} running pods`, 'MB', megabytes, 200)
        if (!Number.isNaN(own)) add('  without the mapped program and database', 'MB', own)
        if (!Number.isNaN(busyMegabytes)) add('  right after they were created', 'MB', busyMegabytes)
      }
      if (!wants('growth')) continue
      const gets = await requests.getPods(namespace, 'running', pods, 2000 * scale)
      const creates = 2000 * scale
      await requests.createPods(`${namespace}-more`, `warm${pods}`, 0, creates, 32)
      const more = await withCost(measured, creates, () => requests.createPods(`${namespace}-more`, `at${pods}`, 0, creates, 32))
      await requests.delete(`${namespace}-more`, '/pods')
      found.push({
        pods,
        listMs,
        getMs: median(gets),
        createMicros: Number.isNaN(more.micros) ? (more.result / creates) * 1e6 : more.micros,
        megabytes,
      })
    }
  } finally {
    if (flags.kubeconfig !== undefined) await cleanUp(requests, [namespace, `${namespace}-more`])
    requests.close()
  }
  return found
}

async function cleanUp(requests: Requests, namespaces: readonly string[]): Promise<void> {
  for (const name of namespaces) {
    try {
      await requests.delete(name)
    } catch {
      // The namespace was never created, or the connection is lost.
    }
  }
}

/** How costs grow with the number of pods. The work for all of them may grow as n·log n, and no faster. */
function addGrowth(found: readonly AtSize[]): void {
  const first = found[0]!
  const last = found.at(-1)!
  if (first === last) return
  const times = last.pods / first.pods
  const allowed = (times * Math.log(last.pods)) / Math.log(first.pods)
  const grow = (what: string, before: number, after: number, isForAll: boolean, show: (value: number) => string) => {
    if (Number.isNaN(before) || Number.isNaN(after)) return
    const growth = (after / before) * (isForAll ? 1 : times)
    rows.push({
      what: `${what}: ${show(before)} → ${show(after)}`,
      result: `n^${number(Math.log(growth) / Math.log(times), 2)}`,
      target: `n^${number(Math.log(allowed) / Math.log(times), 2)}`,
      ratio: allowed / growth,
    })
  }
  const range = `${number(first.pods, 0)} → ${number(last.pods, 0)} pods`
  rows.push({ what: `from ${range}:`, result: '' })
  const ms = (value: number) => `${number(value)} ms`
  grow('  all created, at the cost of one', first.createMicros, last.createMicros, false, (value) => `${number(value)} µs each`)
  grow('  all read, at the time of one', first.getMs, last.getMs, false, (value) => `${ms(value)} each`)
  grow('  listed', first.listMs, last.listMs, true, ms)
  grow('  memory', first.megabytes, last.megabytes, true, (value) => `${number(value, 0)} MB`)
}

function measureInProcess(): void {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(here, 'bench-in-process.mjs'), String(10_000 * scale)], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Cannot measure in process: ${stderr}`)
  type Result = Record<string, Record<string, { readonly perSecond: number; readonly cpuMicroseconds: number }>>
  for (const [engine, byClients] of Object.entries(JSON.parse(stdout) as Result))
    for (const [clients, { perSecond, cpuMicroseconds }] of Object.entries(byClients))
      add(`create a pod in process, ${engine}, ${clients} at a time`, 'perSecond', perSecond, undefined, costText(cpuMicroseconds))
}

async function measureStarts(root: string): Promise<void> {
  const times = flags.quick ? 3 : 7
  const starts = ['nothing there', 'second start'].map((what) => ({ what, ms: [] as number[], micros: [] as number[] }))
  for (let i = 0; i < times; i++)
    for (const { ms, micros } of starts) {
      const server = await startServer(flags.command, join(root, `start-${i}`))
      ms.push(server.startMs)
      micros.push(server.cpuSeconds() * 1e6)
      await server.stop()
    }
  for (const { what, ms, micros } of starts) add(`start to first answer, ${what}`, 'ms', median(ms), 300, costText(median(micros)))
}

async function measureOurs(root: string): Promise<void> {
  if (wants('start')) await measureStarts(root)
  const within = async (name: string, run: (server: StartedServer) => Promise<void>) => {
    const server = await startServer(flags.command, join(root, name))
    try {
      await run(server)
    } finally {
      await server.stop()
    }
  }
  if (wants('creates') || wants('get') || wants('watch'))
    await within('requests', (server) => measureRequests({ target: server.target, server }, 'bench'))
  if (wants('list') || wants('growth')) {
    let found: AtSize[] = []
    await within('sizes', async (server) => {
      found = await measureSizes({ target: server.target, server }, 'bench')
    })
    if (wants('growth')) {
      const again: number[] = []
      await within('sizes', async ({ startMs }) => void again.push(startMs))
      const last = found.at(-1)!
      if (!Number.isNaN(last.megabytes)) add(`memory with ${number(last.pods, 0)} running pods`, 'MB', last.megabytes)
      add(`start to first answer, ${number(last.pods, 0)} pods there`, 'ms', again[0]!)
      addGrowth(found)
    }
  }
  if (wants('in-process')) measureInProcess()
}

async function measureTheirs(kubeconfig: string): Promise<void> {
  const target = await readTarget(kubeconfig)
  const namespace = `bench-${randomBytes(4).toString('hex')}`
  if (wants('creates') || wants('get') || wants('watch')) await measureRequests({ target }, namespace)
  if (wants('list') || wants('growth')) addGrowth(await measureSizes({ target }, `${namespace}-list`))
}

const loadBefore = loadavg()[0]!
try {
  if (flags.kubeconfig === undefined) await withFolder(measureOurs)
  else await measureTheirs(flags.kubeconfig)
} finally {
  process.stderr.write('\n')
  printTable(rows)
  console.log(
    `\nNode.js ${process.versions.node}, ${availableParallelism()} processors, load ${number(loadBefore)} before and ${number(loadavg()[0]!)} after${
      flags.quick ? ', a tenth of the usual sizes' : ''
    }`,
  )
}

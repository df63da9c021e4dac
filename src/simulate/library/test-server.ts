// `startServer()`: a cluster with a real port, started from code.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { AdjustableClock } from '../../base/adjustable-clock.ts'
import { realClock } from '../../base/clock.ts'
import { parseDurationMs } from '../../base/duration.ts'
import { readFaultOrder } from '../../cluster/faults/fault-order.ts'
import { planFirstNodes, startLocalCluster } from '../../cluster/local-cluster.ts'
import { rollcallVersion } from '../../cluster/version.ts'
import { readAutoscale } from './autoscale.ts'
import { readClusterOptions } from './cluster-options.ts'
import { objectCalls } from './object-calls.ts'
import type { JoinOptions, StartServerOptions, TestServer } from './server-api.ts'

const pollMs = 10
const minSpeed = 0.001
const maxSpeed = 10_000
const ownOptions: ReadonlySet<string> = new Set(['time', 'speed', 'port', 'pacer', 'dataDir', 'log'])

export async function startServer(options: StartServerOptions = {}): Promise<TestServer> {
  const { time = 'real', speed, seed, port = 0, pacer = false, dataDir, log = () => {} } = options
  if (time !== 'real' && time !== 'virtual') throw new Error(`Cannot read time ${JSON.stringify(time)}: give 'real' or 'virtual'`)
  if (time === 'virtual' && speed !== undefined)
    throw new Error('Cannot set a speed for virtual time: it advances in advance() and until() only')
  if (speed !== undefined && !(typeof speed === 'number' && speed >= minSpeed && speed <= maxSpeed))
    throw new Error(`Cannot run time at speed ${JSON.stringify(speed)}: give a number from ${minSpeed} to ${maxSpeed}`)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`Cannot listen on port ${JSON.stringify(port)}: give a whole number from 0 to 65535`)
  const shared = Object.fromEntries(Object.entries(options).filter(([name]) => !ownOptions.has(name)))
  const { groups, gates, startMs, podLife, from } = await readClusterOptions(shared)
  const autoscale = options.autoscale && readAutoscale(options.autoscale, groups)
  const folder = dataDir === undefined ? mkdtempSync(join(tmpdir(), 'rollcall-server-')) : resolve(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const removeFolder = () => void (dataDir ?? rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const kubeconfig = join(folder, 'kubeconfig')
  const cluster = await startLocalCluster({
    dataDir: folder,
    kubeconfig,
    inMemory: dataDir === undefined,
    from,
    acceptsFaults: true,
    host: '127.0.0.1',
    port,
    gates,
    nodes: planFirstNodes(groups, autoscale?.groups ?? []),
    podLife,
    ...(autoscale && { autoscale }),
    ...(pacer && { hasPacer: true }),
    time: { speed, isPaused: time === 'virtual', startMs: options.startTime === undefined ? undefined : startMs },
    seed,
    version: rollcallVersion,
    log,
  }).catch((error: unknown) => {
    removeFolder()
    throw error
  })
  const clock = cluster.adjustableClock
  const now = () => clock?.now() ?? realClock.now()
  let stopped: Promise<void> | undefined
  const requireRunning = () => {
    if (stopped !== undefined) throw new Error('Cannot advance time: the server has stopped')
  }
  const advance = clock !== undefined && time === 'virtual' ? stepper(clock, requireRunning) : waiter(now, requireRunning)
  const stop = () => (stopped ??= cluster.stop().then(removeFolder))
  const environment = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)

  return {
    url: cluster.url,
    port: cluster.port,
    token: cluster.token,
    kubeconfig,
    env: { ...Object.fromEntries(environment), KUBECONFIG: kubeconfig },
    client: cluster.client,
    ...objectCalls(cluster.client),
    now,
    async advance(duration, join) {
      await advance(parseDurationMs(duration), async () => false, join)
    },
    async until<T>(condition: () => T | Promise<T>, { within = '5m', what = 'the condition holds', ...join } = {}) {
      let found: T | undefined
      const isFound = async () => {
        found = await condition()
        return Boolean(found)
      }
      if (await advance(parseDurationMs(within), isFound, join)) return found as Exclude<T, undefined | null | false | 0 | ''>
      throw new Error(`Timed out after ${within} of cluster time, waiting until ${what}`)
    },
    async fault(order) {
      return (await cluster.faults!.order(readFaultOrder(order))).fault
    },
    faults: () => cluster.faults!.list(),
    async endFaults(id) {
      await cluster.faults!.clear(id)
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Resolves to whether the condition was met within the time. */
type Advance = (ms: number, isDone: () => Promise<boolean>, join?: JoinOptions) => Promise<boolean>

const sleep = (ms: number) => new Promise<void>((resolve) => void realClock.after(ms, resolve))

const stepper =
  (clock: AdjustableClock, requireRunning: () => void): Advance =>
  async (ms, isDone, { step, waitMs = 0 } = {}) => {
    const endMs = clock.now() + ms
    const stepMs = step === undefined ? ms : parseDurationMs(step)
    if (step !== undefined && !(stepMs > 0)) throw new Error(`Cannot advance time in steps of ${step}: give a time of more than 0`)
    for (;;) {
      requireRunning()
      const leftMs = endMs - clock.now()
      if (leftMs <= 0) return isDone()
      if ((await clock.stepBy(Math.min(stepMs, leftMs), { isDone })).isDone) return true
      if (waitMs > 0) await sleep(waitMs)
    }
  }

const waiter =
  (now: () => number, requireRunning: () => void): Advance =>
  async (ms, isDone) => {
    const endMs = now() + ms
    for (;;) {
      requireRunning()
      if (await isDone()) return true
      if (now() >= endMs) return false
      await sleep(pollMs)
    }
  }

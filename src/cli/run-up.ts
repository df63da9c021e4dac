// What `rollcall up` does once its flags are read.
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { formatTime, realClock } from '../base/clock.ts'
import { startLocalCluster } from '../cluster/local-cluster.ts'
import { describeNodes, describeStages, readParts } from './cluster-parts.ts'
import { shortPath } from './short-path.ts'
import { spareMemoryWhenIdle, usualGrowth } from './spare-memory.ts'
import type { UpOptions } from './up.ts'
import { rollcallVersion } from './version.ts'

// The heap holds the whole cluster. Left to itself, V8 lets it grow far beyond that before it looks for garbage: with this,
// memory under load is 0.9 of that with 10,000 pods, and the time it takes cannot be measured. With 40 it is 0.88, and
// creates take a tenth more.
const heapGrowth = usualGrowth
// Young garbage is collected by several threads. That pays where processors are idle: on two of them, one of which the
// client has, it takes more time to bring the threads together than they save.
const oneCollector = '--no-parallel-scavenge'
const fewProcessors = 2

export async function runUp(options: UpOptions): Promise<void> {
  setFlagsFromString(heapGrowth)
  if (availableParallelism() <= fewProcessors) setFlagsFromString(oneCollector)
  const dataDir = resolve(options.dataDir)
  const kubeconfig = resolve(options.kubeconfig ?? join(dataDir, 'kubeconfig'))
  const parts = await readParts(options)
  const cluster = await startLocalCluster({
    dataDir,
    kubeconfig,
    inMemory: options.memory ?? false,
    host: options.host,
    gates: options.featureGates,
    ...parts,
    time: {
      ...(options.speed !== undefined && { speed: options.speed }),
      ...(options.paused && { isPaused: true }),
      ...(options.startTime !== undefined && { startMs: options.startTime }),
    },
    ...(options.nodeMonitorGracePeriod !== undefined && { nodeMonitorGraceMs: options.nodeMonitorGracePeriod }),
    ...(options.seed !== undefined && { seed: options.seed }),
    version: rollcallVersion,
    log: (line) => process.stderr.write(`rollcall: ${line}\n`),
    ...(options.port !== undefined && { port: options.port }),
  })

  const stopSparing = spareMemoryWhenIdle(realClock, () => cluster.spareMemory())
  const stopped = stopOnSignal(async () => {
    stopSparing()
    await cluster.stop()
  })
  const stages = describeStages(parts)
  const lines = [
    `Rollcall is up at ${cluster.url} (Kubernetes v1.36 API), after ${Math.round(process.uptime() * 1000)} ms.`,
    `  nodes       ${describeNodes(parts)}`,
    ...(stages === undefined ? [] : [`  stages      ${stages}`]),
    ...describeTime(options, cluster.startMs),
    `  objects     ${options.memory ? 'in memory, gone when it stops' : `${shortPath(dataDir)}, there again at the next start`}`,
    `  kubeconfig  ${shortPath(kubeconfig)} (with a token and a client certificate, for your eyes only)`,
    ...(isLoopback(options.host)
      ? []
      : [`  CAUTION     listening on ${options.host}: other machines can reach it, and get in with these credentials`]),
    '',
    `  export KUBECONFIG=${shortPath(kubeconfig)}`,
    '  kubectl get namespaces',
    '',
    'Ctrl-C stops it.',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  await stopped
}

/** Nothing, where time is that of the wall. */
function describeTime({ paused, speed = 1 }: UpOptions, startMs: number | undefined): string[] {
  if (startMs === undefined) return []
  const pace = paused
    ? 'it stands still: rollcall step 10m, rollcall resume'
    : speed === 1
      ? 'it runs beside the wall clock'
      : `it runs ${speed} times as fast as the wall clock`
  return [`  time        ${formatTime(startMs)}; ${pace}`]
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** Resolves when the first SIGINT or SIGTERM has been answered; a second one ends the process at once. */
function stopOnSignal(stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false
    const onSignal = () => {
      if (stopping) process.exit(130)
      stopping = true
      process.stdout.write('\nStopping …\n')
      stop().then(() => {
        process.stdout.write('Stopped.\n')
        resolve()
      }, reject)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  })
}

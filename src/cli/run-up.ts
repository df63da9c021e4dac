// Runs `rollcall up`.
import { join, resolve } from 'node:path'
import { formatTime, realClock } from '../base/clock.ts'
import { startLocalCluster } from '../cluster/local-cluster.ts'
import { describeNodes, describeStages, readParts } from './cluster-parts.ts'
import { printError } from './error-line.ts'
import { collectWhenIdle } from './idle-collection.ts'
import { shortPath } from './short-path.ts'

import type { UpOptions } from './up.ts'
import { rollcallVersion } from './version.ts'

export async function runUp(options: UpOptions): Promise<void> {
  const dataDir = resolve(options.dataDir)
  const kubeconfig = resolve(options.kubeconfig ?? join(dataDir, 'kubeconfig'))
  const parts = await readParts(options)
  const cluster = await startLocalCluster({
    dataDir,
    kubeconfig,
    inMemory: options.memory ?? false,
    acceptsFaults: true,
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
    log: printError,
    ...(options.port !== undefined && { port: options.port }),
  })

  const stopCollecting = collectWhenIdle(realClock, () => cluster.clearCaches())
  const stopped = stopOnSignal(async () => {
    stopCollecting()
    await cluster.stop()
  })
  const stages = describeStages(parts)
  const lines = [
    `Rollcall is up at ${cluster.url} (Kubernetes v1.36 API), after ${Math.round(process.uptime() * 1000)} ms.`,
    `  nodes       ${describeNodes(parts)}`,
    ...(stages === undefined ? [] : [`  stages      ${stages}`]),
    ...describeTime(options, cluster.startMs),
    `  objects     ${options.memory ? 'in memory, lost when the cluster stops' : `in ${shortPath(dataDir)}, kept for the next start`}`,
    `  kubeconfig  ${shortPath(kubeconfig)} (contains a token and a client certificate: keep it private)`,
    ...(isLoopback(options.host)
      ? []
      : [`  CAUTION     listening on ${options.host}: other machines can use the cluster with these credentials`]),
    '',
    `  export KUBECONFIG=${shortPath(kubeconfig)}`,
    '  kubectl get namespaces',
    '',
    'Ctrl-C stops it.',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  await stopped
}

/** Empty where the cluster uses the wall clock. */
function describeTime({ paused, speed = 1 }: UpOptions, startMs: number | undefined): string[] {
  if (startMs === undefined) return []
  const pace = paused
    ? 'paused: advance it with rollcall step 10m, or resume it with rollcall resume'
    : speed === 1
      ? 'as fast as the wall clock'
      : `${speed} times as fast as the wall clock`
  return [`  time        ${formatTime(startMs)}; ${pace}`]
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** Resolves when the cluster has stopped after the first signal. A second signal ends the process at once. */
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

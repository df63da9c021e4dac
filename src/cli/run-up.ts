// Runs `rollcall up`.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { formatTime, realClock } from '../base/clock.ts'
import { messageOf } from '../base/error-message.ts'
import { defaultKubeconfigPaths } from '../client/kubeconfig.ts'
import { defaultPort } from '../cluster/cluster-port.ts'
import { type ClusterRecord, isListening, readClusterRecord, writeClusterRecord } from '../cluster/kubeconfig/cluster-record.ts'
import { mergeContext, serverOf } from '../cluster/kubeconfig/user-kubeconfig.ts'
import { startLocalCluster } from '../cluster/local-cluster.ts'
import type { RestoredContent } from '../cluster/snapshot/restored-content.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { contextNameOf, dataDirOf, folderFlags } from './cluster-folder.ts'
import { describeNodes, describeStages, readParts } from './cluster-parts.ts'
import { dashboardPage } from './dashboard-page.ts'
import { isDetached, logFile, reportReady } from './detach.ts'
import { printError, usageError } from './error-line.ts'
import { collectWhenIdle } from './idle-collection.ts'
import { forgetCluster } from './run-clusters.ts'
import { shortPath } from './short-path.ts'
import type { UpOptions } from './up.ts'

export async function runUp(options: UpOptions): Promise<void> {
  const admissionPlugins = enabledPlugins(options)
  const dataDir = dataDirOf(options)
  const kubeconfig = resolve(options.kubeconfig ?? join(dataDir, 'kubeconfig'))
  const contextName = contextNameOf(options.name)
  const userKubeconfig = await userKubeconfigFor(options, contextName)
  let previousContext: string | undefined
  const from = await readFrom(options)
  const parts = await readParts(options)
  const cluster = await startLocalCluster({
    dataDir,
    kubeconfig,
    contextName,
    ...(userKubeconfig !== undefined && {
      async onKubeconfig(text: string) {
        previousContext = (await mergeContext(userKubeconfig, text)) ?? previousContext
      },
    }),
    inMemory: options.memory ?? false,
    acceptsFaults: true,
    registersApiServices: true,
    page: dashboardPage,
    host: options.host,
    gates: options.featureGates,
    admissionPlugins,
    from,
    prefersStoredNodes: options.nodes === undefined && options.nodeFile === undefined && options.autoscale === undefined,
    ignoresSimulatedWebhooks: options.ignoreSimulatedWebhooks,
    admissionConfiguration: options.admissionControlConfigFile,
    assumesSecrets: options.assumeSecrets,
    hasPacer: options.pacer,
    ...(options.evictions && { evictionTimeoutMs: options.evictionTimeout }),
    ...parts,
    time: { speed: options.speed, isPaused: options.paused, startMs: options.startTime },
    nodeMonitorGraceMs: options.nodeMonitorGracePeriod,
    seed: options.seed,
    version: rollcallVersion,
    log: printError,
    port: options.port,
  })
  const record: ClusterRecord = {
    process: process.pid,
    url: cluster.url,
    version: rollcallVersion,
    startedAt: formatTime(realClock.now()),
    inMemory: options.memory ?? false,
    kubeconfig,
    ...(isDetached && { log: join(dataDir, logFile) }),
    context: userKubeconfig === undefined ? undefined : { name: contextName, file: userKubeconfig, previous: previousContext },
  }
  writeClusterRecord(dataDir, record)

  const stopCollecting = collectWhenIdle(realClock, () => cluster.clearCaches())
  const print = (text: string) => void (options.quiet || process.stdout.write(text))
  const stopped = stopOnSignal(print, async () => {
    stopCollecting()
    await cluster.stop()
    await forgetCluster(dataDir, record)
  })
  const stages = describeStages(parts)
  const lines = [
    `Rollcall is up at ${cluster.url} (Kubernetes v1.37 API), after ${Math.round(process.uptime() * 1000)} ms.`,
    `  nodes       ${describeNodes(parts, cluster.nodes)}`,
    ...(stages === undefined ? [] : [`  stages      ${stages}`]),
    ...describeTime(options, cluster.startMs),
    `  objects     ${options.memory ? 'in memory, lost when the cluster stops' : `in ${shortPath(dataDir)}, kept for the next start`}`,
    `  kubeconfig  ${shortPath(kubeconfig)} (contains a token and a client certificate: keep it private)`,
    ...(userKubeconfig === undefined ? [] : [`  context     ${contextName}, now the current one of ${shortPath(userKubeconfig)}`]),
    ...(options.port === undefined && cluster.port !== defaultPort
      ? [`  port        ${cluster.port}, because port ${defaultPort} is in use; choose one with --port`]
      : []),
    ...(isLoopback(options.host)
      ? []
      : [`  CAUTION     listening on ${options.host}: other machines can use the cluster with these credentials`]),
    ...(options.verbose ? describeDetails(options, rollcallVersion) : []),
    '',
    `  Dashboard: ${cluster.url}/ui/#token=${cluster.token}`,
    "  (the certificate is the cluster's own: the browser warns once)",
    ...(userKubeconfig === undefined ? [`  export KUBECONFIG=${shortPath(kubeconfig)}`] : []),
    '  kubectl get namespaces',
    '',
    isDetached ? `Stop it with rollcall down${folderFlags(options)}.` : 'Ctrl-C stops it.',
  ]
  print(`${lines.join('\n')}\n`)
  reportReady(`${lines.join('\n')}\n`)
  await stopped
}

/** Throws with exit code 2 where the file is not a snapshot, and where the cluster has objects already. */
async function readFrom(options: UpOptions): Promise<RestoredContent | undefined> {
  if (options.from === undefined) return undefined
  if (!options.memory && existsSync(join(dataDirOf(options), 'store')))
    throw usageError(
      `Cannot start from ${options.from}: the cluster in ${shortPath(dataDirOf(options))} has objects. Choose another with --data-dir or --name, or delete them with rollcall down${folderFlags(options)} --delete-data.`,
    )
  const { readRestoredContent } = await import('../cluster/snapshot/restored-content.ts')
  return readRestoredContent(options.from).catch((error: unknown) => {
    throw usageError(messageOf(error))
  })
}

/** Throws where a plugin is both enabled and disabled. */
function enabledPlugins({ enableAdmissionPlugins: on = [], disableAdmissionPlugins: off = [] }: UpOptions) {
  const both = on.filter((name) => off.includes(name))
  if (both.length > 0)
    throw usageError(`${both.join(', ')} is in --enable-admission-plugins and in --disable-admission-plugins. Leave it in one of them.`)
  return on
}

/** A named or detached cluster is found by kubectl without further settings. Throws where a running cluster has that context. */
async function userKubeconfigFor(options: UpOptions, contextName: string): Promise<string | undefined> {
  if (options.kubeconfig !== undefined || (options.name === undefined && !isDetached)) return undefined
  const file = resolve(defaultKubeconfigPaths()[0]!)
  const server = await serverOf(file, contextName)
  if (server === undefined || !URL.canParse(server) || !(await isListening(new URL(server)))) return file
  if (readClusterRecord(dataDirOf(options))?.url === server)
    throw new Error(`The cluster is already running at ${server}. Stop it with rollcall down${folderFlags(options)}.`)
  const own = `--kubeconfig ${shortPath(join(dataDirOf(options), 'kubeconfig'))}`
  const instead =
    options.name !== undefined ? `another --name, or ${own}` : options.dataDir !== undefined ? own : `--name with a name, or ${own}`
  throw new Error(`Context ${contextName} in ${shortPath(file)} belongs to a cluster that is running at ${server}. Add ${instead}.`)
}

function describeDetails({ featureGates, enableAdmissionPlugins = [], seed }: UpOptions, version: string): string[] {
  const gates = Object.entries(featureGates).map(([name, isOn]) => `${name}=${isOn}`)
  return [
    `  versions    Rollcall ${version}, Node.js ${process.versions.node}`,
    `  process     ${process.pid}`,
    `  seed        ${seed ?? 'random'}`,
    `  gates       ${gates.join(', ')}`,
    ...(enableAdmissionPlugins.length > 0 ? [`  admission   ${enableAdmissionPlugins.join(', ')}`] : []),
  ]
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
function stopOnSignal(print: (text: string) => void, stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false
    const onSignal = () => {
      if (stopping) process.exit(130)
      stopping = true
      print('\nStopping …\n')
      stop().then(() => {
        print('Stopped.\n')
        resolve()
      }, reject)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  })
}

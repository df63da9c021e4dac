// A cluster in this process that listens on a port: store, API server and controllers, and the files by which clients find it.
import { createPrivateKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { apiServices, kinds as builtInKinds } from '../api/kinds.ts'
import type { FeatureGates } from '../api/machinery/feature-gates.ts'
import { KindSet } from '../api/machinery/kind-set.ts'
import { groupResource } from '../api/machinery/status-error.ts'
import type { SwitchablePlugin } from '../api/machinery/switchable-plugins.ts'
import type { AdjustableClock } from '../base/adjustable-clock.ts'
import { realClock, sleep } from '../base/clock.ts'
import { messageOf } from '../base/error-message.ts'
import { machineRandom, seededPart } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import type { Autoscale } from '../nodes/autoscaler/node-groups.ts'
import type { FleetOptions } from '../nodes/fleet.ts'
import type { NodeSpec } from '../nodes/node-object.ts'
import { QueueMetrics } from '../runtime/queue-metrics.ts'
import { Aggregator } from '../server/aggregation/aggregator.ts'
import { createAuthenticator } from '../server/auth/authenticator.ts'
import { createServiceAccountAuthenticator } from '../server/auth/service-account-authenticator.ts'
import { ServiceAccountTokens } from '../server/auth/service-account-tokens.ts'
import { createDocuments } from '../server/documents.ts'
import { createPageFiles } from '../server/http/page-files.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { storageOf } from '../server/rest/scope.ts'
import { startServer } from '../server/server.ts'
import { readAdmissionConfiguration } from './admission-configuration.ts'
import { applyApiServices, followCustomApiServices } from './api-services.ts'
import { defaultPort, requireListenable, startOnPort } from './cluster-port.ts'
import { type RunningControllers, startControllers } from './controllers.ts'
import { signRequest } from './credentials/certificates.ts'
import { type Credentials, keepCredentialsValid, readOrCreateCredentials } from './credentials/credentials.ts'
import { openFrontProxy } from './credentials/front-proxy.ts'
import { hostsOf, reachableAddress, urlOf } from './credentials/server-addresses.ts'
import type { DashboardPage } from './dashboard-page.ts'
import { FaultInjector } from './faults/fault-injector.ts'
import { answerFaults } from './faults/fault-paths.ts'
import { fieldManagerOf } from './field-managers.ts'
import { applyFlowControl } from './flow-control.ts'
import { createInProcessClient } from './in-process-client.ts'
import { formatKubeconfig, requireReplaceable, requireUnused, writeKubeconfig } from './kubeconfig/kubeconfig.ts'
import { keepOutOfGit, openLocalStore, simulatedNodes, writeProblem } from './local-store.ts'
import { monitoringFor } from './node-monitoring.ts'
import { startInProcessPacer, startPacerAdmission } from './pacer/in-process-pacer.ts'
import { applyBootstrapRoles } from './rbac/bootstrap-objects.ts'
import type { RestoredContent } from './snapshot/restored-content.ts'
import { answerSnapshot } from './snapshot/snapshot-paths.ts'
import { surgeBeforeEviction } from './surge-before-eviction.ts'
import { applyServerEndpoints, applyServicePort, applyServiceRange, applySystemObjects } from './system-objects.ts'
import { openClusterTime, type TimeOptions } from './time/cluster-time.ts'
import { followWrites } from './time/pending-writes.ts'
import { answerClock } from './time/time-paths.ts'

export { type Autoscale, planFirstNodes } from '../nodes/autoscaler/node-groups.ts'
export type { NodeGroup, NodeSpec } from '../nodes/node-object.ts'
export type { TimeOptions } from './time/cluster-time.ts'

type PodLife = Pick<FleetOptions, 'stages' | 'images'>

export interface LocalClusterOptions {
  /** Holds the credentials and, unless in memory, the objects. */
  readonly dataDir: string
  readonly kubeconfig: string
  /** The name of the cluster, its user and its context in the kubeconfig. Default: rollcall. */
  readonly contextName?: string
  /** Called with the content of the kubeconfig whenever it is written: at the start, and when certificates are renewed. */
  onKubeconfig?(text: string): void | Promise<void>
  readonly inMemory: boolean
  /** A new cluster starts from these objects, and at their time unless `time` says another. Throws where there are objects already. */
  readonly from?: RestoredContent | undefined
  readonly host: string
  /** Absent: 6443, or any free port when 6443 is in use. */
  readonly port?: number | undefined
  readonly gates: FeatureGates
  /** The admission plugins that are on, of those that can be switched. Default: none. */
  readonly admissionPlugins?: readonly SwitchablePlugin[] | undefined
  /** Whether webhooks in simulated pods are ignored with a warning. Default: they fail as their failurePolicy says. */
  readonly ignoresSimulatedWebhooks?: boolean | undefined
  /** A file with an AdmissionConfiguration. */
  readonly admissionConfiguration?: string | undefined
  /** Simulated nodes. None: a client plays the kubelet through the API. */
  readonly nodes: readonly NodeSpec[]
  /** Whether the simulated nodes that are stored already take the place of `nodes`. */
  readonly prefersStoredNodes?: boolean
  /** How pods behave on the simulated nodes: KWOK's Stages, and images that cannot be pulled. */
  readonly podLife?: PodLife
  /** How long a node may miss its heartbeats before it counts as lost. Default 50 s, as in Kubernetes. */
  readonly nodeMonitorGraceMs?: number | undefined
  readonly autoscale?: Autoscale
  /** Whether Secrets that pods wait for are created as placeholders. */
  readonly assumesSecrets?: boolean | undefined
  /** Whether the pacer runs, for workloads and namespaces that opt in. */
  readonly hasPacer?: boolean | undefined
  /** How long the eviction of a pod waits until its Deployment has replaced it. Absent: evictions do not wait. */
  readonly evictionTimeoutMs?: number | undefined
  /** Default: the wall clock. */
  readonly time?: TimeOptions
  /** Determines names, uids and everything else that is random. Absent: the machine's random numbers. */
  readonly seed?: number | undefined
  /** The dashboard at /ui/. Absent: there is none. */
  readonly page?: DashboardPage
  /** Whether faults can be injected through the API while the cluster runs. */
  readonly acceptsFaults?: boolean
  /** Whether the cluster has an APIService for each version that it serves, and publishes how aggregated servers know its callers. */
  readonly registersApiServices?: boolean
  /** The version of Rollcall. */
  readonly version: string
  /** Called with one line for each failure. */
  log(line: string): void
}

export interface LocalCluster {
  readonly url: string
  readonly port: number
  readonly token: string
  /** An administrator's client inside the process. */
  readonly client: Client
  /** Undefined unless the cluster accepts faults. */
  readonly faults: FaultInjector | undefined
  /** Can be paused and stepped, where the cluster does not use the wall clock. */
  readonly adjustableClock: AdjustableClock | undefined
  /** The cluster time at the start; undefined where the cluster uses the wall clock. */
  readonly startMs: number | undefined
  /** The number of simulated nodes at the start. */
  readonly nodes: number
  /** Frees what can be read again from the store. */
  clearCaches(): void
  stop(): Promise<void>
}

const registrationMs = 20
const serviceAccountIssuer = 'https://kubernetes.default.svc.cluster.local'

export async function startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster> {
  const { dataDir, kubeconfig, inMemory, host, gates, log, seed, contextName } = options
  const podSecurity = await readAdmissionConfiguration(options.admissionConfiguration, log)
  const credentialsFolder = join(dataDir, 'credentials')
  const hosts = hostsOf(host)
  // A first start that fails here has written nothing, and no empty cluster is listed.
  if (!existsSync(credentialsFolder)) await startOnPort((port) => requireListenable(host, port), options.port ?? 0)
  const credentials = orExplain(`Cannot write to data directory ${JSON.stringify(dataDir)}`, '--data-dir', () =>
    readOrCreateCredentials(credentialsFolder, hosts, realClock.now()),
  )
  await requireReplaceable(kubeconfig, contextName)
  keepOutOfGit(dataDir)
  const { from } = options
  const opened = await openLocalStore(inMemory ? undefined : join(dataDir, 'store'), from?.content)
  const nodes = (options.prefersStoredNodes && simulatedNodes(opened.list('nodes/').records)) || options.nodes
  const time = openClusterTime({
    ...options.time,
    startMs: options.time?.startMs ?? from?.timeMs,
    dataDir,
    inMemory,
    isNew: opened.revision <= 1 || from !== undefined,
    whenIdle: () => followed?.whenIdle(),
  })
  // Only an adjustable clock has to know about writes under way.
  const followed = time.adjustable && followWrites(opened)
  const store = followed?.store ?? opened
  const { clock } = time
  const randomOf = (part: number) => (seed === undefined ? machineRandom : seededPart(seed, part))
  const tokens = new ServiceAccountTokens({ signingKey: createPrivateKey(credentials.serviceAccountKey), issuer: serviceAccountIssuer })
  const kinds = new KindSet(builtInKinds)
  let oldestWatchRevision = 0
  const evictions = surgeBeforeEviction(options.evictionTimeoutMs, { gates, clock, readClient: () => client })
  const rest = createRest({
    store,
    gates,
    clock,
    wallClock: realClock,
    random: randomOf(1),
    reviewToken: (token, audiences) => authenticator.reviewToken(token, audiences),
    tokens,
    kinds,
    ...(options.admissionPlugins && { admissionPlugins: options.admissionPlugins }),
    podSecurity,
    ignoresSimulatedWebhooks: options.ignoresSimulatedWebhooks,
    betweenWrites: () => sleep(realClock, 0),
    onFailure: (what, error) => onFailure(what, error),
    findPodServer: (pod, port) => running?.fleet?.findServer(pod, port),
    reviewEviction: evictions?.review,
    oldestWatchRevision: () => oldestWatchRevision,
  })
  const authenticator = createAuthenticator(
    [{ token: credentials.token, caller: { name: 'kubernetes-admin', groups: ['system:masters'] } }],
    {
      serviceAccounts: createServiceAccountAuthenticator(tokens, rest.readBound, () => clock.now()),
      audiences: [serviceAccountIssuer],
    },
  )
  const client: Client = createInProcessClient({ rest, kinds, name: 'rollcall' })
  const storedKinds = () => kinds.all.filter(({ verbs }) => verbs === undefined || verbs.includes('list'))
  let isStopping = false
  const onFailure = (what: string, error: unknown) => {
    // Work that is interrupted by the stop is not a failure, and neither is an injected fault.
    if (!isStopping && !faults?.hasRefused(error)) log(`${what}: ${messageOf(error)}`)
  }

  const faults = options.acceptsFaults
    ? new FaultInjector({
        clock,
        client,
        random: randomOf(3),
        revision: () => store.revision,
        readNodes: () => running?.fleet,
        readControllers: () => running?.controls,
        onFailure,
      })
    : undefined
  const frontProxy = openFrontProxy(credentialsFolder, realClock.now())
  const aggregator = new Aggregator({
    store,
    kinds,
    services: rest.services,
    frontProxy: frontProxy.client,
    clock,
    wallClock: realClock,
    writeStatus: (object) => client.updateStatus(apiServices, object as never),
    onFailure,
  })
  const registerApiServices = () => applyApiServices(client, kinds, frontProxy, credentials)
  const answers = [
    answerClock({ clock: time.adjustable, store, client }),
    answerSnapshot({ store, clock }),
    ...(faults ? [answerFaults(faults)] : []),
    ...(options.page ? [options.page.handleOwnPath] : []),
  ]

  const start = (port: number) =>
    startServer({
      rest,
      kinds,
      host,
      port,
      clock,
      wallClock: realClock,
      ...(time.adjustable && { beforeWrite: () => time.adjustable?.whenSettled() }),
      ...(options.page && { findPageFile: createPageFiles(options.page.folder) }),
      async handleOwnPath(request) {
        for (const answer of answers) {
          const found = await answer(request)
          if (found !== undefined) return found
        }
        return undefined
      },
      ...(faults && { findFault: faults.judge }),
      log,
      tls: tlsOf(credentials),
      authenticate: authenticator.authenticate,
      authorizer: rest.authorizer,
      tokens,
      healthChecks: [{ name: 'store', paths: ['healthz', 'readyz'], check: () => writeProblem(store) }],
      findAggregated: aggregator.find,
      findDocument: createDocuments(kinds, `${host}:${port}`, () => aggregator.versions),
      version: options.version,
      moreMetrics: () => running?.metrics() ?? '',
      readLog: (pod, request) => running?.fleet?.readLog(pod, request) ?? '',
      exec: (...request) => running?.fleet?.exec(...request),
      respondHttp: (pod, container, request) => running?.fleet?.answerHttp(pod, container, request),
      storedObjects: () => storedKinds().map((kind) => [groupResource(kind), store.count(`${storageOf(kind)}/`)] as const),
    })
  const publishKubeconfig = async (url: string, current: Credentials) => {
    const text = formatKubeconfig({
      url,
      credentials: current,
      process: process.pid,
      ...(contextName !== undefined && { name: contextName }),
    })
    orExplain(`Cannot write kubeconfig ${JSON.stringify(kubeconfig)}`, '--kubeconfig', () => writeKubeconfig(kubeconfig, text))
    await options.onKubeconfig?.(text)
  }
  // The server answers before the controllers have started.
  let running: RunningControllers | undefined
  let started: Awaited<ReturnType<typeof start>> | undefined
  try {
    // For a durable store this cannot fail: its lock has already refused a second process.
    await requireUnused(kubeconfig)
    const isNew = store.revision === 1 || from !== undefined
    // On a full disk, which takes deletions only, the objects of the last start stay as they are.
    const applied = async (write: () => Promise<unknown>) => {
      try {
        await write()
      } catch (error) {
        if (isNew || store.health().canWrite) throw error
        log(`Cannot update the objects of the system: ${messageOf(error)}`)
      }
    }
    await applied(async () => {
      await applySystemObjects(client, options.port || defaultPort)
      await applyServiceRange(client)
      await Promise.all([applyBootstrapRoles(client), applyFlowControl(client)])
    })
    // With a seed, before any request: their uids are random, and the sequence must not depend on timing.
    if (options.registersApiServices && seed !== undefined) await registerApiServices()
    // No client has seen an earlier one. After a restart clients continue where they were.
    if (isNew) oldestWatchRevision = store.revision
    started = await startOnPort(start, options.port)
    const { port } = started
    await applied(async () => {
      await applyServicePort(client, port)
      await applyServerEndpoints(client, reachableAddress(host), port)
    })
    const url = urlOf(host, started.port)
    await publishKubeconfig(url, credentials)
  } catch (error) {
    await started?.close()
    aggregator.stop()
    time.stop()
    await store.close()
    throw error
  }
  const server = started

  const clientOf = (name: string) => createInProcessClient({ rest, kinds, name: fieldManagerOf(name) })
  const withFaults = (name: string) => faults?.wrapClient(clientOf(name), name) ?? clientOf(name)
  const admission = options.hasPacer ? startPacerAdmission('asked', { client, clock, onFailure }) : undefined
  const pacer = options.hasPacer ? startInProcessPacer({ client: withFaults('rollcall-pacer'), clock, onFailure }) : undefined
  const controllers = startControllers({
    clientFor: (name) => admission?.wrapClient(withFaults(name)) ?? withFaults(name),
    acceptsFaults: faults !== undefined,
    servesPolicies: true,
    signCertificate: (request) => signRequest(credentials.authority, request, clock.now()),
    clock,
    random: randomOf(2),
    gates,
    queues: new QueueMetrics(clock),
    kinds,
    rootCertificate: credentials.authority.certificate,
    nodes,
    podLife: { ...options.podLife, issueToken: rest.issuePodToken, mountsTrustBundles: true },
    ...(options.nodeMonitorGraceMs !== undefined && monitoringFor(options.nodeMonitorGraceMs)),
    ...(options.autoscale && { autoscale: options.autoscale }),
    ...(options.assumesSecrets && { assumesSecrets: true }),
    evictions: evictions?.settings,
    onFailure,
  })
  running = controllers
  // Otherwise after the start, which need not wait for them.
  const cancelRegistration =
    options.registersApiServices && seed === undefined
      ? realClock.after(registrationMs, () => void registerApiServices().catch((error) => onFailure('Cannot register APIServices', error)))
      : undefined
  const apiServiceSync = options.registersApiServices
    ? followCustomApiServices({ client, kinds, clock: realClock, onDeletion: (listener) => aggregator.onDeletion(listener), onFailure })
    : undefined
  const stopRenewal = keepCredentialsValid(
    {
      folder: credentialsFolder,
      hosts,
      clock: realClock,
      onFailure: (error) => log(`Cannot renew certificates: ${(error as Error).message}`),
    },
    credentials,
    async (renewed) => {
      server.renewTls(tlsOf(renewed))
      await requireReplaceable(kubeconfig, contextName)
      await publishKubeconfig(urlOf(host, server.port), renewed)
    },
  )
  return {
    url: urlOf(host, server.port),
    port: server.port,
    token: credentials.token,
    client,
    faults,
    adjustableClock: time.adjustable,
    startMs: time.adjustable && time.startMs,
    nodes: nodes.length,
    clearCaches: () => rest.clearCaches(),
    async stop() {
      isStopping = true
      stopRenewal()
      time.adjustable?.cutStep()
      faults?.stop()
      await Promise.all([controllers.stop(), pacer?.stop()])
      admission?.stop()
      cancelRegistration?.()
      apiServiceSync?.stop()
      aggregator.stop()
      await server.close()
      time.stop()
      await store.close()
    },
  }
}

/** Adds to an error of the file system which flag helps. */
function orExplain<T>(what: string, flag: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new Error(`${what}: ${(error as Error).message}. Choose another with ${flag}.`)
  }
}

const tlsOf = ({ server, authority }: Credentials) => ({ key: server.key, cert: server.certificate, ca: authority.certificate })

// `rollcall/testing`: a cluster in virtual time inside a test.
import { daemonSets, deployments, jobs, podDisruptionBudgets, pods, replicaSets, resourceQuotas, statefulSets } from '../../api/kinds.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import { parseDurationMs } from '../../base/duration.ts'
import { messageOf } from '../../base/error-message.ts'
import { seededRandom } from '../../base/random.ts'
import { VirtualClock } from '../../base/virtual-clock.ts'
import { readFaultOrder } from '../../cluster/faults/fault-order.ts'
import { createFaultyClient, type FaultyConnection, noFaults, refusing } from '../../cluster/faults/faulty-client.ts'
import { type Change, startVirtualCluster } from '../../cluster/virtual-cluster.ts'
import { type Counted, findWrongCounts, watchInvariants } from '../invariants/invariants.ts'
import { checkPodCap } from '../invariants/pod-cap-checker.ts'
import { WorkloadHistory } from '../invariants/workload-history.ts'
import { watchWriteLoops } from '../invariants/write-loops.ts'
import { readWorkload } from '../objects.ts'
import { readAutoscale } from './autoscale.ts'
import type { CreateClusterOptions, TestCluster, UntilOptions } from './cluster-api.ts'
import { readClusterOptions } from './cluster-options.ts'
import { ControllerLag } from './controller-lag.ts'
import { objectCalls } from './object-calls.ts'
import { TestPacers } from './test-pacers.ts'
import { createUserClient } from './user-client.ts'

const nodeStatusMs = 300_000
const shownLines = 12
const startUpLimitMs = 600_000
/** Writes that occur even in an idle cluster. */
const isBackground = ({ kind: { plural } }: Change) => plural === 'leases' || plural === 'nodes' || plural === 'events'

export async function createCluster(options: CreateClusterOptions = {}): Promise<TestCluster> {
  const { interleave = false, invariants: areChecked = true } = options
  const { groups, seed, gates, startMs, podLife, maxWritesAtOnce, from } = await readClusterOptions(options)
  // Loaded before time starts: loading a module is not an event of the cluster.
  await import('yaml')
  const clock = new VirtualClock({ startMs, ...(interleave && { ties: seededRandom(seed) }) })
  const faults = noFaults()
  const faultRandom = seededRandom(seed + 1)
  const failures: string[] = []
  let connection: FaultyConnection = { isCut: false }
  const lag = new ControllerLag()
  const pacers = new TestPacers(clock, seededRandom(seed + 2))
  /** The time of the last write. */
  let writtenAtMs = startMs
  const time = { now: () => writtenAtMs, lagMs: () => lag.ms }
  const podCap = checkPodCap(gates, time)
  const cluster = await startVirtualCluster({
    clock,
    seed,
    gates,
    nodes: groups,
    ...(from && { content: from.content }),
    podLife,
    ...(options.autoscale && { autoscale: readAutoscale(options.autoscale, groups) }),
    onPodDeletion: podCap.deletedByController,
    acceptsFaults: true,
    heartbeats: { leaseMs: parseDurationMs(options.heartbeat ?? '10s'), statusMs: nodeStatusMs },
    ...(options.pacer && { pacerAdmission: options.pacer }),
    wrapClient: (client, part) =>
      part === 'controllers'
        ? createFaultyClient({ client, clock, random: faultRandom, faults, connection })
        : part === 'pacer'
          ? pacers.wrapClient(client)
          : client,
    onFailure: (what, error) => void failures.push(`${what}: ${messageOf(error)}`),
  })
  const injector = cluster.faults!
  const { client, isWriting } = createUserClient(refusing(cluster.client, faults))

  const trace: string[] = []
  const history = new WorkloadHistory()
  const invariants = watchInvariants({
    isUserWriting: isWriting,
    gates,
    time,
    pacerTime: { now: time.now, lagMs: () => pacers.lagMs, releasersOf: (uid) => pacers.releasersOf(uid) },
  })
  const loops = watchWriteLoops({ now: time.now, maxWrites: maxWritesAtOnce })
  let revision = 0
  let changedAtMs = startMs
  let isStopped = false
  cluster.onChange((change) => {
    revision = change.revision
    const isOfInterest = !isBackground(change)
    writtenAtMs = clock.now()
    if (isOfInterest) changedAtMs = writtenAtMs
    history.onChange(change, writtenAtMs)
    if (change.kind.plural !== 'leases')
      trace.push(`+${(writtenAtMs - startMs) / 1000}s ${change.verb} ${change.kind.plural} ${change.key} r${change.revision}`)
    if (areChecked) {
      podCap.onChange(change)
      invariants.onChange(change)
    }
    if (isOfInterest) loops.onChange(change)
    // Otherwise the current call would never end.
    if (loops.found !== undefined) faults.refusesWrites = true
  })
  if (from !== undefined)
    for (const change of cluster.readAll()) {
      history.onChange(change, startMs)
      podCap.onChange(change)
      invariants.onChange(change)
    }
  const breaches = () => [...invariants.breaches, ...podCap.excesses, ...(loops.found === undefined ? [] : [loops.found])]
  const lastLines = () =>
    trace
      .slice(-shownLines)
      .map((line) => `\n  ${line}`)
      .join('')
  let reportedBreaches = 0
  clock.onEvent = () => {
    if (invariants.breaches.length + podCap.excesses.length + (loops.found === undefined ? 0 : 1) === reportedBreaches) return
    const found = breaches()
    reportedBreaches = found.length
    throw new Error(`An invariant is violated (seed ${seed}): ${found.join('; ')}. The last writes:${lastLines()}`)
  }

  const requireRunning = () => {
    if (isStopped) throw new Error('Cannot advance time: the cluster has stopped')
  }
  const startControllers = async () => {
    requireRunning()
    connection = { isCut: false }
    await clock.runUntilSettled(cluster.startControllers(), startUpLimitMs)
  }
  const delay: TestCluster['delay'] = ({ calls, watches }) => {
    if (calls !== undefined) faults.callMs = parseDurationMs(calls)
    if (watches !== undefined) faults.watchMs = parseDurationMs(watches)
    lag.add(faults)
  }

  const stop = async () => {
    if (isStopped) return
    isStopped = true
    connection.isCut = true
    await clock.runUntilSettled(pacers.crash())
    await clock.runUntilSettled(cluster.stop())
  }

  await startControllers()
  if (options.pacer !== undefined) pacers.start(cluster)
  await clock.settle()
  delay({ calls: options.callDelay ?? 0, watches: options.watchDelay ?? 0 })

  return {
    seed,
    client,
    failures,
    now: () => clock.now(),

    ...objectCalls(client),

    async advance(duration) {
      requireRunning()
      await clock.advance(parseDurationMs(duration))
    },
    async until<T>(condition: () => T | Promise<T>, { within = '5m', what = 'the condition holds' }: UntilOptions = {}) {
      requireRunning()
      const endMs = clock.now() + parseDurationMs(within)
      let found: T | undefined
      let askedAt: number | undefined
      const isFound = async () => {
        if (askedAt === revision) return false
        askedAt = revision
        found = await condition()
        return Boolean(found)
      }
      if (await clock.runUntil(isFound, endMs)) return found as Exclude<T, undefined | null | false | 0 | ''>
      await clock.advanceTo(endMs)
      throw new Error(`Timed out after ${within} of virtual time, waiting until ${what} (seed ${seed}). The last writes:${lastLines()}`)
    },
    async settle({ within = '1h', quiet = '1m', maxWrites = Number.POSITIVE_INFINITY } = {}) {
      requireRunning()
      const written = trace.length
      const endMs = clock.now() + parseDurationMs(within)
      const quietMs = parseDurationMs(quiet)
      const fromMs = clock.now()
      for (let dueMs = fromMs + quietMs; ; dueMs = Math.max(changedAtMs, fromMs) + quietMs) {
        if (dueMs > endMs)
          throw new Error(`The cluster did not settle within ${within} of virtual time (seed ${seed}). The last writes:${lastLines()}`)
        await clock.advanceTo(dueMs)
        if (Math.max(changedAtMs, fromMs) + quietMs <= clock.now()) break
        if (trace.length - written > maxWrites)
          throw new Error(`The cluster does not settle: more than ${maxWrites} writes (seed ${seed}). The last writes:${lastLines()}`)
      }
      const all = async <T extends KubernetesObject>(kind: { readonly plural: string }) =>
        (await client.list(kind as never, {})).items as unknown as readonly Stored<T>[]
      const wrong = findWrongCounts({
        pods: await all(pods),
        replicaSets: (await all(replicaSets)) as readonly Counted[],
        deployments: (await all(deployments)) as readonly Counted[],
        statefulSets: (await all(statefulSets)) as readonly Counted[],
        daemonSets: await all(daemonSets),
        jobs: await all(jobs),
        budgets: await all(podDisruptionBudgets),
        quotas: await all(resourceQuotas),
        countsTerminating: gates.DeploymentReplicaSetTerminatingReplicas,
      })
      if (wrong.length > 0) throw new Error(`The counts do not match the pods (seed ${seed}): ${wrong.join('; ')}`)
    },

    stopControllers: () => clock.runUntilSettled(cluster.stopControllers()),
    async crashControllers() {
      connection.isCut = true
      await clock.runUntilSettled(cluster.stopControllers())
    },
    startControllers,
    startPacer(options) {
      requireRunning()
      pacers.start(cluster, options)
    },
    stopPacers: () => clock.runUntilSettled(pacers.stop()),
    crashPacers: () => clock.runUntilSettled(pacers.crash()),
    delayPacer: (delays) => pacers.delay(delays),
    failPacerWrites: (count, { applied = false } = {}) => pacers.failWrites(count, applied),
    failNextWrites(count, { applied = false } = {}) {
      faults.failWrites = count
      faults.losesAnswers = applied
    },
    delay,
    stopNode(name) {
      if (!cluster.stopNode(name)) throw new Error(`Cannot stop node "${name}": there is no such node`)
    },
    startNode(name) {
      if (!cluster.startNode(name)) throw new Error(`Cannot start node "${name}": there is no such node`)
    },
    async fault(order) {
      if (order.target === 'controller' || order.target === 'api' || order.target === 'client') lag.addUnknown()
      return (await clock.runUntilSettled(injector.order(readFaultOrder(order)))).fault
    },
    faults: () => injector.list(),
    async endFaults(id) {
      await clock.runUntilSettled(injector.clear(id))
    },

    trace: () => [...trace],
    timeline(workload, namespace = 'default') {
      const { kind, name } = readWorkload(workload)
      const lines = history.timeline(kind.plural, `${namespace}/${name}`, startMs)
      if (lines === undefined) throw new Error(`There was no ${workload} in namespace "${namespace}", or it is not a workload`)
      return lines
    },
    peakOverCap(workload, namespace = 'default') {
      const { kind, name } = readWorkload(workload)
      const excess = history.worstExcess(kind.plural, `${namespace}/${name}`)
      if (excess === undefined) throw new Error(`There was no ${workload} in namespace "${namespace}", or it has no cap`)
      if (excess === null) return undefined
      const { atMs, ...counts } = excess
      return { at: `+${(atMs - startMs) / 1000}s`, ...counts }
    },
    get breaches() {
      return breaches()
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

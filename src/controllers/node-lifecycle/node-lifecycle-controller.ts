// Watches over the nodes: one that gives no sign of life gets its conditions set to Unknown, its pods marked as not ready,
// and the taints that keep pods away and drive them off, at a rate that depends on how its zone fares.
//
// Kubernetes looks at every node every five seconds. Here a node is looked at when something in it has changed, and when
// its grace may be over, at the same whole periods; a heartbeat costs a look at two texts.
import { leases as leaseKind, nodes as nodeKind, pods as podKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Lease, Node, Pod, Stored } from '../../api/types.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import { Informer, keyOf } from '../../runtime/informer.ts'
import { startWorkers } from '../../runtime/workers.ts'
import { planUnreadyConditions } from './plan/eviction.ts'
import {
  type GracePeriods,
  lostAfterMs,
  type NodeHealth,
  nextHealth,
  planLostConditions,
  readyStatusOf,
  renewedHealth,
  usualGracePeriods,
} from './plan/health.ts'
import {
  changedTaints,
  hasTaint,
  notReadyTaint,
  planConditionTaints,
  planExecuteTaint,
  planNodeLabels,
  type TaintChange,
  unreachableTaint,
} from './plan/taints.ts'
import { type EvictionRates, isLeftOut, zoneOf } from './plan/zones.ts'
import { TickPlan } from './tick-plan.ts'
import { ZoneQueues } from './zone-queues.ts'

export interface NodeLifecycleOptions extends RecordingControllerParts {
  readonly gracePeriods?: GracePeriods
  readonly evictionRates?: EvictionRates
}

interface KnownNode {
  readonly name: string
  readonly uid: string
  health: NodeHealth
  /** Its pods could not all be marked: the next look does it. */
  mustMarkPods: boolean
}

const leaseNamespace = 'kube-node-lease'
const longestPeriodMs = 5000
const looksAtATime = 8
const mostTries = 5
const removeExecuteTaints: TaintChange = { add: [], remove: [unreachableTaint, notReadyTaint] }

export function startNodeLifecycleController(options: NodeLifecycleOptions): RunningController {
  const { client, clock, informers, recorder, queues, gracePeriods = usualGracePeriods, onFailure } = options
  const nodes = informers.get(nodeKind)
  const pods = informers.get(podKind)
  const known = new Map<string, KnownNode>()
  const leases = new Informer<Lease, KeptLease>({
    client,
    clock,
    resource: leaseKind,
    namespace: leaseNamespace,
    transform: keptLease,
    onFailure: (error) => onFailure?.('node lifecycle: watching leases', error),
  })
  const periodMs = Math.min(longestPeriodMs, Math.max(100, gracePeriods.monitorMs / 4))
  const ticks = new TickPlan(clock, periodMs, (due, lateMs) => runTick(due, lateMs))
  const zones = new ZoneQueues({
    clock,
    onDue: (name) => applyExecuteTaint(name),
    ...(options.evictionRates && { rates: options.evictionRates }),
  })
  let isStopped = false

  const failed = (what: string) => (error: unknown) => {
    if (!isStopped && !isStatusError(error, 'Conflict')) onFailure?.(`node lifecycle: ${what}`, error)
  }

  /** What follows from the node at once: taints of its conditions, and the old names of labels. */
  const conditions = startWorkers({
    name: 'node_lifecycle_controller',
    clock,
    ...(queues && { queues }),
    workers: looksAtATime,
    async reconcile(name) {
      const node = nodes.get(name)
      if (node === undefined) return undefined
      const change = planConditionTaints(node)
      if (change !== undefined) await applyTaints(name, change, node)
      const labels = planNodeLabels(node)
      if (labels !== undefined) await client.patch(nodeKind, { name }, 'strategic', { metadata: { labels } })
      return undefined
    },
    onFailure: (name, error) => (isStatusError(error, 'NotFound') ? undefined : failed(`tainting node ${name}`)(error)),
  })

  /** The taints of the newest node, changed. Resolves when it has them. */
  const applyTaints = async (name: string, change: TaintChange, seen: Stored<Node>) => {
    for (let node = seen, tries = 1; ; tries++) {
      const taints = changedTaints(node, change, clock.now())
      if (taints === undefined) return
      const patch = {
        metadata: { resourceVersion: node.metadata.resourceVersion },
        spec: { taints: taints.length === 0 ? null : taints },
      }
      try {
        await client.patch(nodeKind, { name }, 'strategic', patch)
        return
      } catch (error) {
        if (!isStatusError(error, 'Conflict') || tries === mostTries) throw error
        node = await client.get(nodeKind, { name })
      }
    }
  }

  /** Its turn has come to be given up. False: it has to be tried again. */
  const applyExecuteTaint = async (name: string): Promise<boolean> => {
    const node = nodes.get(name)
    const change = node && planExecuteTaint(readyStatusOf(node) ?? 'True')
    if (node === undefined || change === undefined) return true
    try {
      await applyTaints(name, change, node)
      return true
    } catch (error) {
      failed(`tainting node ${name}`)(error)
      return isStatusError(error, 'NotFound')
    }
  }

  const runTick = async (due: readonly string[], lateMs: number) => {
    // A laptop that was asleep: the nodes in this process were, too.
    if (lateMs > gracePeriods.monitorMs / 2) giveGraceAnew()
    const lost: KnownNode[] = []
    for (let at = 0; at < due.length && !isStopped; at += looksAtATime)
      await Promise.all(due.slice(at, at + looksAtATime).map((name) => look(name, lost).catch(failed(`node ${name}`))))
    if (isStopped) return
    await applyDisruption()
    if (lost.length > 0) await markPods(lost)
    zones.pumpSoon()
  }

  /** One look at a node; those that were lost with this look are added to `lost`. */
  const look = async (name: string, lost: KnownNode[]) => {
    const node = nodes.get(name)
    const seen = known.get(name)
    if (seen !== undefined && node?.metadata.uid !== seen.uid) forget(seen)
    if (node === undefined) return
    const one = known.get(name) ?? (await register(node))
    one.health = nextHealth(one.health, node, leases.get(leaseKey(name))?.renewTime, clock.now())
    const before = readyStatusOf(node)
    const current = await applyHealth(one, node)
    zones.count(node, current)
    ticks.add(name, nextLookMs(one, current))
    if (current === undefined) return
    if (current === 'True') one.mustMarkPods = false
    await considerEviction(node, current)
    if ((current !== 'True' && before === 'True') || one.mustMarkPods) {
      if (before === 'True') recorder.record(refOf(node), 'Normal', 'NodeNotReady', `Node ${name} status is now: NodeNotReady`)
      lost.push(one)
    }
  }

  const register = async (node: Stored<Node>): Promise<KnownNode> => {
    const { name, uid } = node.metadata
    const one: KnownNode = { name, uid, health: nextHealth(undefined, node, undefined, clock.now()), mustMarkPods: false }
    known.set(name, one)
    recorder.record(refOf(node), 'Normal', 'RegisteredNode', `Node ${name} event: Registered Node ${name} in Controller`)
    // What an earlier run thought of it no longer counts.
    if (readyStatusOf(node) !== 'True') await applyTaints(name, removeExecuteTaints, node)
    return one
  }

  const forget = ({ name, uid }: KnownNode) => {
    known.delete(name)
    zones.remove(name)
    const gone = { apiVersion: 'v1', kind: 'Node', metadata: { name, uid } }
    recorder.record(gone, 'Normal', 'RemovingNode', `Node ${name} event: Removing Node ${name} from Controller`)
  }

  /** When the node may be lost, if nothing is heard of it; a lost one is looked at when something changes. */
  const nextLookMs = (one: KnownNode, current: string | undefined) =>
    current === 'Unknown' && !one.mustMarkPods ? undefined : Math.max(lostAfterMs(one.health, gracePeriods) + 1, clock.now() + 1)

  /** Sets the conditions of a lost node. Returns what its Ready condition says in the end. */
  const applyHealth = async (one: KnownNode, seen: Stored<Node>): Promise<string | undefined> => {
    for (let node = seen, tries = 1; ; tries++) {
      if (clock.now() <= lostAfterMs(one.health, gracePeriods)) return readyStatusOf(node)
      const conditions = planLostConditions(node, clock.now())
      if (conditions === undefined) return 'Unknown'
      try {
        const written = await client.updateStatus(nodeKind, { ...node, status: { ...node.status, conditions } })
        one.health = nextHealthAfterLoss(one.health, written)
        return 'Unknown'
      } catch (error) {
        if (!isStatusError(error, 'Conflict') || tries === mostTries) throw error
        node = await client.get(nodeKind, { name: one.name })
        one.health = nextHealth(one.health, node, one.health.renewTime, clock.now())
      }
    }
  }

  const considerEviction = async (node: Stored<Node>, current: string) => {
    const { name } = node.metadata
    const change = planExecuteTaint(current)
    if (change === undefined) {
      zones.cancel(name)
      await applyTaints(name, removeExecuteTaints, node)
    } else if (hasTaint(node, change.remove[0]!)) await applyTaints(name, change, node)
    else if (!hasTaint(node, change.add[0]!)) zones.add(name)
  }

  const applyDisruption = async () => {
    const change = zones.nextDisruption()
    if (change === 'begins') {
      for (const node of nodes.values())
        await applyTaints(node.metadata.name, removeExecuteTaints, node).catch(failed(`node ${node.metadata.name}`))
    } else if (change === 'ends') giveGraceAnew()
  }

  const giveGraceAnew = () => {
    const probedAtMs = clock.now()
    for (const one of known.values()) one.health = { ...one.health, probedAtMs }
  }

  /** One pass over the pods, however many nodes were lost. */
  const markPods = async (lost: readonly KnownNode[]) => {
    const byName = new Map(lost.map((one) => [one.name, one]))
    for (const one of lost) one.mustMarkPods = false
    const affected = [...pods.values()].filter(({ spec }) => byName.has(spec?.nodeName ?? ''))
    for (let at = 0; at < affected.length && !isStopped; at += looksAtATime)
      await Promise.all(
        affected.slice(at, at + looksAtATime).map((pod) =>
          markPod(pod).catch((error) => {
            const one = byName.get(pod.spec?.nodeName ?? '')!
            one.mustMarkPods = true
            ticks.add(one.name, clock.now() + 1)
            failed(`pod ${keyOf(pod)}`)(error)
          }),
        ),
      )
  }

  const markPod = async (pod: Stored<Pod>) => {
    const conditions = planUnreadyConditions(pod, clock.now())
    if (conditions === undefined) return
    try {
      await client.updateStatus(podKind, { ...pod, status: { ...pod.status, conditions } })
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return
      throw error
    }
    recorder.record(pod, 'Warning', 'NodeNotReady', 'Node is not ready')
  }

  nodes.onChange((current, previous) => {
    const name = (current ?? previous)!.metadata.name
    if (current !== undefined) {
      if (planConditionTaints(current) !== undefined || planNodeLabels(current) !== undefined) conditions.queue.add(name)
      const one = known.get(name)
      if (one !== undefined && one.uid === current.metadata.uid) {
        const { health } = one
        one.health = nextHealth(health, current, health.renewTime, clock.now())
        if (!isWorthALook(current, previous)) return
      }
    }
    ticks.add(name, clock.now())
  })
  leases.onChange((current) => {
    const one = current && known.get(current.metadata.name)
    if (one) one.health = renewedHealth(one.health, current.renewTime, clock.now())
  })
  // A pod that comes to a node that is lost.
  pods.onChange((current, previous) => {
    const nodeName = current?.spec?.nodeName
    if (current === undefined || nodeName === undefined || nodeName === previous?.spec?.nodeName) return
    const ready = known.get(nodeName)?.health.ready
    if (ready !== undefined && ready.status !== 'True') markPod(current).catch(failed(`pod ${keyOf(current)}`))
  })
  leases.start()

  return {
    synced: Promise.all([nodes.synced, pods.synced, leases.synced]).then(() => ticks.start()),
    async stop() {
      isStopped = true
      leases.stop()
      await Promise.all([ticks.stop(), zones.stop(), conditions.stop()])
    },
  }
}

interface KeptLease {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string; readonly resourceVersion: string }
  readonly renewTime: string | undefined
}

/** Of thousands of Leases only this is needed. */
const keptLease = ({ metadata: { name, namespace, uid, resourceVersion }, spec }: Stored<Lease>): KeptLease => ({
  metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion },
  renewTime: spec?.renewTime,
})
const leaseKey = (name: string) => `${leaseNamespace}/${name}`

const refOf = ({ metadata: { name, uid } }: Stored<Node>) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name, uid } })

/** What we wrote ourselves is no sign of life. */
const nextHealthAfterLoss = ({ probedAtMs, renewTime }: NodeHealth, node: Stored<Node>): NodeHealth => ({
  ...nextHealth({ probedAtMs }, node, undefined, probedAtMs),
  ...(renewTime !== undefined && { renewTime }),
})

/** More than a heartbeat. */
function isWorthALook(current: Stored<Node>, previous: Stored<Node> | undefined): boolean {
  if (previous === undefined || readyStatusOf(current) !== readyStatusOf(previous)) return true
  if (hasTaint(current, notReadyTaint) !== hasTaint(previous, notReadyTaint)) return true
  if (hasTaint(current, unreachableTaint) !== hasTaint(previous, unreachableTaint)) return true
  return zoneOf(current) !== zoneOf(previous) || isLeftOut(current) !== isLeftOut(previous)
}

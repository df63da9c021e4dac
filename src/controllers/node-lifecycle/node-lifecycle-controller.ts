// The node lifecycle controller: when a node stops sending heartbeats, its conditions become Unknown, its pods not ready, and it
// gets the taints that repel and evict pods, at a rate that depends on the state of its zone.
//
// Kubernetes checks every node every five seconds. Here a node is checked when it has changed and when its grace period may have
// ended, at the same multiples of five seconds; a heartbeat only costs the comparison of two strings.
// Kubernetes: pkg/controller/nodelifecycle.Controller.monitorNodeHealth, Controller.processTaintBaseEviction
// Kubernetes: pkg/controller/nodelifecycle.Controller.doNoExecuteTaintingPass, Controller.doNoScheduleTaintingPass
// Kubernetes: pkg/controller/nodelifecycle.Controller.processPod
// Kubernetes: pkg/controller/util/node.MarkPodsNotReady
import { leases as leaseKind, nodes as nodeKind, pods as podKind } from '../../api/kinds.ts'
import { ignoring, isStatusError } from '../../api/machinery/status-error.ts'
import type { Lease, Node, Pod, Stored } from '../../api/types.ts'
import { buildController } from '../../runtime/controller.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import { Informer, keyOf } from '../../runtime/informer.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { PeriodicSchedule } from './periodic-schedule.ts'
import { planUnreadyConditions } from './plan/eviction.ts'
import {
  defaultGracePeriods,
  type GracePeriods,
  lostAfterMs,
  type NodeHealth,
  nextHealth,
  planLostConditions,
  readyStatusOf,
  renewedHealth,
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
import { isExcluded, zoneOf } from './plan/zones.ts'
import { ZoneQueues } from './zone-queues.ts'

interface NodeLifecycleOptions extends RecordingControllerParts {
  readonly gracePeriods?: GracePeriods
}

interface KnownNode {
  readonly name: string
  readonly uid: string
  health: NodeHealth
  /** Not all of its pods could be marked as not ready: the next check tries again. */
  mustMarkPods: boolean
}

const leaseNamespace = 'kube-node-lease'
const maxPeriodMs = 5000
const maxConcurrentChecks = 8
const maxTries = 5
const removeExecuteTaints: TaintChange = { add: [], remove: [unreachableTaint, notReadyTaint] }

export const nodeLifecycleController: ControllerDefinition = {
  name: 'node-controller',
  start: startNodeLifecycleController,
}

export function startNodeLifecycleController(options: NodeLifecycleOptions): RunningController {
  const { client, clock, informers, recorder, gracePeriods = defaultGracePeriods, onFailure } = options
  const nodes = informers.get(nodeKind)
  const pods = informers.get(podKind)
  const known = new Map<string, KnownNode>()
  const leases = new Informer<Lease, CachedLease>({
    client,
    clock,
    resource: leaseKind,
    namespace: leaseNamespace,
    transform: cachedLease,
    onFailure: (error) => onFailure?.('node lifecycle: watching leases', error),
  })
  const periodMs = Math.min(maxPeriodMs, Math.max(100, gracePeriods.monitorMs / 4))
  const ticks = new PeriodicSchedule(clock, periodMs, (due, lateMs) => runTick(due, lateMs))
  const zones = new ZoneQueues({ clock, onDue: (name) => applyExecuteTaint(name) })
  let isStopped = false

  const failed = (what: string) => (error: unknown) => {
    if (!isStopped && !isStatusError(error, 'Conflict')) onFailure?.(`node lifecycle: ${what}`, error)
  }

  const conditions = buildController(options, {
    name: 'node_lifecycle_controller',
    for: nodeKind,
    delayOf: (node) => (planConditionTaints(node) === undefined && planNodeLabels(node) === undefined ? undefined : 0),
    workers: maxConcurrentChecks,
    async reconcile(node, { client: tracked }) {
      const { name } = node.metadata
      const change = planConditionTaints(node)
      if (change !== undefined) await applyTaints(name, change, node, tracked)
      const labels = planNodeLabels(node)
      if (labels !== undefined) await tracked.patch(nodeKind, { name }, 'strategic', { metadata: { labels } })
    },
  })

  /** Changes the taints of the node. After a conflict, the newest version is read. */
  const applyTaints = async (name: string, change: TaintChange, seen: Stored<Node>, writer = client) => {
    for (let node = seen, tries = 1; ; tries++) {
      const taints = changedTaints(node, change, clock.now())
      if (taints === undefined) return
      const patch = {
        metadata: { resourceVersion: node.metadata.resourceVersion },
        spec: { taints: taints.length === 0 ? null : taints },
      }
      try {
        await writer.patch(nodeKind, { name }, 'strategic', patch)
        return
      } catch (error) {
        if (!isStatusError(error, 'Conflict') || tries === maxTries) throw error
        node = await client.get(nodeKind, { name })
      }
    }
  }

  /** Adds the NoExecute taint when the rate limit of the zone allows it. Resolves to false if it has to be retried. */
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
    // After a sleep of the machine: the simulated nodes of this process slept as well.
    if (lateMs > gracePeriods.monitorMs / 2) restartGracePeriods()
    const lost: KnownNode[] = []
    for (let at = 0; at < due.length && !isStopped; at += maxConcurrentChecks)
      await Promise.all(due.slice(at, at + maxConcurrentChecks).map((name) => check(name, lost).catch(failed(`node ${name}`))))
    if (isStopped) return
    await applyDisruption()
    if (lost.length > 0) await markPods(lost)
    zones.pumpSoon()
  }

  /** Checks one node; adds it to `lost` if it became unhealthy. */
  const check = async (name: string, lost: KnownNode[]) => {
    const node = nodes.get(name)
    const seen = known.get(name)
    if (seen !== undefined && node?.metadata.uid !== seen.uid) forget(seen)
    if (node === undefined) return
    const one = known.get(name) ?? (await register(node))
    one.health = nextHealth(one.health, node, leases.get(leaseKey(name))?.renewTime, clock.now())
    const before = readyStatusOf(node)
    const current = await applyHealth(one, node)
    zones.count(node, current)
    ticks.add(name, nextCheckMs(one, current))
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
    // Taints of an earlier run of the controller no longer apply.
    if (readyStatusOf(node) !== 'True') await applyTaints(name, removeExecuteTaints, node)
    return one
  }

  const forget = ({ name, uid }: KnownNode) => {
    known.delete(name)
    zones.remove(name)
    const removed = { apiVersion: 'v1', kind: 'Node', metadata: { name, uid } }
    recorder.record(removed, 'Normal', 'RemovingNode', `Node ${name} event: Removing Node ${name} from Controller`)
  }

  /** When the node counts as lost, unless a heartbeat comes earlier. A lost node is checked only when it changes. */
  const nextCheckMs = (one: KnownNode, current: string | undefined) =>
    current === 'Unknown' && !one.mustMarkPods ? undefined : Math.max(lostAfterMs(one.health, gracePeriods) + 1, clock.now() + 1)

  /** Sets the conditions of a lost node. Resolves to the status of its Ready condition. */
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
        if (!isStatusError(error, 'Conflict') || tries === maxTries) throw error
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
    } else if (change === 'ends') restartGracePeriods()
  }

  const restartGracePeriods = () => {
    const probedAtMs = clock.now()
    for (const one of known.values()) one.health = { ...one.health, probedAtMs }
  }

  const markPods = async (lost: readonly KnownNode[]) => {
    const byName = new Map(lost.map((one) => [one.name, one]))
    for (const one of lost) one.mustMarkPods = false
    const affected = lost.flatMap(({ name }) => pods.byIndex('node', name))
    for (let at = 0; at < affected.length && !isStopped; at += maxConcurrentChecks)
      await Promise.all(
        affected.slice(at, at + maxConcurrentChecks).map((pod) =>
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
    const written = await ignoring('NotFound', client.updateStatus(podKind, { ...pod, status: { ...pod.status, conditions } }))
    if (written !== undefined) recorder.record(pod, 'Warning', 'NodeNotReady', 'Node is not ready')
  }

  nodes.onChange((current, previous) => {
    const name = (current ?? previous)!.metadata.name
    if (current !== undefined) {
      const one = known.get(name)
      if (one !== undefined && one.uid === current.metadata.uid) {
        const { health } = one
        one.health = nextHealth(health, current, health.renewTime, clock.now())
        if (!needsCheck(current, previous)) return
      }
    }
    ticks.add(name, clock.now())
  })
  leases.onChange((current) => {
    const one = current && known.get(current.metadata.name)
    if (one) one.health = renewedHealth(one.health, current.renewTime, clock.now())
  })
  // A pod that is bound to a lost node.
  pods.onChange((current, previous) => {
    const nodeName = current?.spec?.nodeName
    if (current === undefined || nodeName === undefined || nodeName === previous?.spec?.nodeName) return
    const ready = known.get(nodeName)?.health.ready
    if (ready !== undefined && ready.status !== 'True') markPod(current).catch(failed(`pod ${keyOf(current)}`))
  })
  leases.start()

  return {
    synced: Promise.all([conditions.synced, pods.synced, leases.synced]).then(() => ticks.start()),
    async stop() {
      isStopped = true
      leases.stop()
      await Promise.all([ticks.stop(), zones.stop(), conditions.stop()])
    },
  }
}

interface CachedLease {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string; readonly resourceVersion: string }
  readonly renewTime: string | undefined
}

/** The only fields of a Lease that are needed. */
const cachedLease = ({ metadata: { name, namespace, uid, resourceVersion }, spec }: Stored<Lease>): CachedLease => ({
  metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion },
  renewTime: spec?.renewTime,
})
const leaseKey = (name: string) => `${leaseNamespace}/${name}`

const refOf = ({ metadata: { name, uid } }: Stored<Node>) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name, uid } })

/** A condition that this controller wrote is no heartbeat. */
const nextHealthAfterLoss = ({ probedAtMs, renewTime }: NodeHealth, node: Stored<Node>): NodeHealth => ({
  ...nextHealth({ probedAtMs }, node, undefined, probedAtMs),
  ...(renewTime !== undefined && { renewTime }),
})

/** Whether more than a heartbeat has changed. */
function needsCheck(current: Stored<Node>, previous: Stored<Node> | undefined): boolean {
  if (previous === undefined || readyStatusOf(current) !== readyStatusOf(previous)) return true
  if (hasTaint(current, notReadyTaint) !== hasTaint(previous, notReadyTaint)) return true
  if (hasTaint(current, unreachableTaint) !== hasTaint(previous, unreachableTaint)) return true
  return zoneOf(current) !== zoneOf(previous) || isExcluded(current) !== isExcluded(previous)
}

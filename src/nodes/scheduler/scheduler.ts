// The scheduler. It watches pods and nodes, decides on one pod at a time with its own view of the cluster, and writes decisions
// concurrently.
// Kubernetes: pkg/scheduler.Scheduler.ScheduleOne, Scheduler.schedulingCycle, Scheduler.bindingCycle, Scheduler.handleSchedulingFailure
// Kubernetes: pkg/scheduler.Scheduler.skipPodSchedule
import {
  namespaces as namespaceKind,
  nodes as nodeKind,
  persistentVolumeClaims,
  podDisruptionBudgets,
  pods as podKind,
} from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Pod, Stored } from '../../api/types.ts'
import { type Clock, formatTime } from '../../base/clock.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Random } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { ClusterState } from './cluster-state.ts'
import { createDefaultSelector } from './default-selector.ts'
import { ClusterEventHandlers } from './event-handlers.ts'
import { type NoPlacement, planPlacement } from './placement.ts'
import { claimProblem } from './pod-claims.ts'
import { readNeeds } from './pod-needs.ts'
import { type Preemption, planPreemption } from './preemption.ts'
import { type CachedRefusal, type PluginName, RefusalCache } from './refusals.ts'
import { type QueuedPod, SchedulingQueue } from './scheduling-queue.ts'

interface SchedulerOptions extends RecordingControllerParts {
  readonly random: Random
}

const schedulerNames: ReadonlySet<string> = new Set(['default-scheduler', 'rollcall'])
/** The maximum number of concurrent writes. */
const maxPendingWrites = 64
/** The maximum number of decisions before other tasks of the event loop run. */
const maxDecisionsPerTick = 64
const claimPlugins: ReadonlySet<PluginName> = new Set(['VolumeBinding'])

export function startScheduler(options: SchedulerOptions): RunningController {
  const { client, clock, random, informers, recorder, onFailure } = options
  const pods = informers.get(podKind)
  const nodes = informers.get(nodeKind)
  const namespaces = informers.get(namespaceKind)
  const claims = informers.get(persistentVolumeClaims)
  const state = new ClusterState({ defaultSelector: createDefaultSelector(informers) })
  const budgets = informers.get(podDisruptionBudgets)
  /** Pods for which a preemption is being written, by uid. */
  const preempting = new Map<string, { isRetried: boolean }>()
  const refusalCache = new RefusalCache()
  let isSynced = false
  let isStopped = false
  let isPumpPending = false
  let writes = 0
  let onIdle: (() => void) | undefined

  const schedulePump = () => {
    if (isPumpPending || isStopped || !isSynced) return
    isPumpPending = true
    clock.after(0, () => {
      isPumpPending = false
      pump()
    })
  }
  const queue = new SchedulingQueue(clock, schedulePump)
  const handlers = new ClusterEventHandlers({ state, queue, schedulerNames, onMayBeSchedulable: schedulePump })

  const pump = () => {
    if (isStopped) return
    handlers.activatePods()
    for (let decisions = 0; decisions < maxDecisionsPerTick && writes < maxPendingWrites; decisions++) {
      const pod = queue.take()
      if (pod === undefined) return
      decide(pod)
    }
    if (queue.activeCount > 0 && writes < maxPendingWrites) schedulePump()
  }

  const decide = (queued: QueuedPod) => {
    const { needs } = queued
    // The victims of its preemption are being deleted.
    const attempt = preempting.get(needs.uid)
    if (attempt !== undefined) {
      attempt.isRetried = true
      return queue.postpone(queued, undefined)
    }
    const known = state.nominationOf(needs.uid) === undefined ? refusalCache.find(needs, handlers.version) : undefined
    if (known !== undefined) return queued.reportedMessage === known.message ? queue.postpone(queued, known.plugins) : fail(queued, known)
    const problem = claimProblem(needs.pod, (name) => claims.get(`${needs.namespace}/${name}`))
    if (problem !== undefined && state.nodes.length > 0) {
      const message = `0/${state.nodes.length} nodes are available: ${problem}.`
      return refuse(queued, { message, plugins: claimPlugins, refusals: new Map() })
    }
    const placement = planPlacement(needs, state, random)
    if ('node' in placement) {
      // The pod leaves the queue when the watch reports it with its node.
      state.nominate(needs, undefined)
      state.place(needs, placement.node)
      handlers.onPlaced(needs.traits)
      write(() => bind(queued, placement.node))
    } else refuse(queued, placement)
  }

  const bind = async (queued: QueuedPod, node: string) => {
    const { pod, uid, namespace } = queued.needs
    try {
      await applyBinding(client, pod, node)
      recorder.record(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${pod.metadata.name} to ${node}`)
    } catch (error) {
      const current = pods.get(keyOf(pod))
      // Another client has bound it: the state contains it, or will soon.
      if (current?.metadata.uid === uid && current.spec?.nodeName) return
      handlers.onUnbound(uid)
      if (isStatusError(error, 'NotFound') || current?.metadata.uid !== uid || current.metadata.deletionTimestamp !== undefined) return
      queued.needs = readNeeds(current)
      queue.retry(queued)
      // The watch will report the newer version of the pod.
      if (isStatusError(error, 'Conflict')) return
      onFailure?.(`binding pod ${keyOf(pod)}`, error)
      const message = `binding rejected: running Bind plugin "DefaultBinder": ${messageOf(error)}`
      reportFailure(queued, { reason: 'SchedulerError', message })
    }
  }

  const refuse = (queued: QueuedPod, { message, plugins, refusals }: NoPlacement) => {
    const { needs } = queued
    if (refusals === undefined) return fail(queued, { message, plugins }, null)
    const preemption = planPreemption({ needs, state, refusals, budgets: budgets.values(), random, nowMs: clock.now() })
    if ('victims' in preemption) {
      state.nominate(needs, preemption.node)
      fail(queued, { message, plugins }, preemption.node)
      preempt(queued, preemption)
      return
    }
    const refusal = { message: `${message} ${preemption.message}`, plugins }
    if (preemption.clearsNomination) state.nominate(needs, undefined)
    if (state.nominationOf(needs.uid) === undefined) refusalCache.add(needs, handlers.version, refusal)
    fail(queued, refusal, preemption.clearsNomination ? null : undefined)
  }

  const fail = (queued: QueuedPod, { message, plugins }: CachedRefusal, nominatedNodeName?: string | null) => {
    queue.fail(queued, plugins)
    reportFailure(queued, { reason: 'Unschedulable', message, ...(nominatedNodeName !== undefined && { nominatedNodeName }) })
  }

  const preempt = (queued: QueuedPod, { node, victims }: Preemption) => {
    const { needs } = queued
    // Pods of lower priority that are nominated to the same node lose their nomination.
    for (const other of [...state.nominatedTo(node)])
      if (other.priority < needs.priority) {
        state.nominate(other, undefined)
        write(() => clearNomination(client, other.pod))
        const waiting = queue.get(other.uid)
        if (waiting !== undefined) queue.activate(waiting)
      }
    const victimsToDelete = victims.filter(({ pod }) => pod.metadata.deletionTimestamp === undefined)
    if (victimsToDelete.length === 0) return
    const attempt = { isRetried: false }
    preempting.set(needs.uid, attempt)
    const schedulerName = needs.pod.spec?.schedulerName ?? 'default-scheduler'
    write(async () => {
      const results = await Promise.allSettled(
        victimsToDelete.map(async ({ pod }) => {
          await applyPreemption(client, clock, pod, schedulerName)
          recorder.record(pod, 'Normal', 'Preempted', `Preempted by pod ${needs.uid} on node ${node}`)
        }),
      )
      preempting.delete(needs.uid)
      const isFailed = results.some(({ status }) => status === 'rejected')
      if (attempt.isRetried || isFailed) queue.activate(queued)
      for (const result of results) if (result.status === 'rejected' && !isMissingOrReplaced(result.reason)) throw result.reason
    })
  }

  const reportFailure = (queued: QueuedPod, failure: SchedulingFailure) => {
    const { pod } = queued.needs
    queued.reportedMessage = failure.message
    recorder.record(pod, 'Warning', 'FailedScheduling', truncate(failure.message))
    if (isKnownFailure(pod, failure)) return
    write(() =>
      applyFailure(client, clock, pod, failure).catch((error) => {
        // The status does not contain the failure yet: try again after the back-off.
        if (!isMissingOrReplaced(error)) {
          queued.reportedMessage = undefined
          queue.activate(queued)
        }
        throw error
      }),
    )
  }

  const write = (run: () => Promise<void>) => {
    writes++
    run()
      .catch((error) => {
        if (!isMissingOrReplaced(error)) onFailure?.('scheduling', error)
      })
      .finally(() => {
        writes--
        if (writes === 0) onIdle?.()
        if (queue.activeCount > 0) schedulePump()
      })
  }

  pods.onChange((current, previous) => handlers.onPod(current, previous))
  nodes.onChange((current, previous) => handlers.onNode(current, previous))
  namespaces.onChange((current, previous) => {
    const name = (current ?? previous)?.metadata.name
    if (name !== undefined) handlers.onNamespace(name, current && (current.metadata.labels ?? {}))
  })
  claims.onChange((current) => {
    if (current !== undefined) handlers.onClaim(current.metadata.namespace ?? '', current.metadata.name)
  })
  return {
    synced: Promise.all([pods, nodes, namespaces, claims].map(({ synced }) => synced)).then(() => {
      isSynced = true
      schedulePump()
    }),
    async stop() {
      isStopped = true
      queue.stop()
      if (writes > 0)
        await new Promise<void>((resolve) => {
          onIdle = resolve
        })
    },
  }
}

/** Deleted, or replaced by another pod with the same name. */
const isMissingOrReplaced = (error: unknown) => isStatusError(error, 'NotFound') || isStatusError(error, 'Conflict')

/** The limit of the message of an event. */
const maxMessageLength = 1024

const truncate = (message: string) => (message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength - 4)} ...`)

// Writes the decisions of the scheduler. A failed write is harmless: the pod returns to the queue.
// Kubernetes: pkg/scheduler.Scheduler.bind, Scheduler.handleSchedulingFailure, updatePod
// Kubernetes: pkg/scheduler/framework/preemption.Executor.prepareCandidate, clearNominatedNodeName
// Kubernetes: pkg/scheduler/framework/plugins/defaultbinder.DefaultBinder.Bind
const refOf = ({ metadata }: Stored<Pod>) => ({ namespace: metadata.namespace ?? '', name: metadata.name })

async function applyBinding(client: Client, pod: Stored<Pod>, node: string): Promise<void> {
  const { namespace, name } = refOf(pod)
  await client.createSubresource(podKind, { namespace, name }, 'binding', {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, namespace, uid: pod.metadata.uid },
    target: { kind: 'Node', name: node },
  })
}

interface SchedulingFailure {
  readonly reason: 'Unschedulable' | 'SchedulerError'
  readonly message: string
  /** null removes the nomination; absent leaves it unchanged. */
  readonly nominatedNodeName?: string | null
}

/** Whether the status of the pod already contains the failure. */
function isKnownFailure({ status }: Stored<Pod>, { reason, message, nominatedNodeName }: SchedulingFailure): boolean {
  const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled')
  return (
    condition?.status === 'False' &&
    condition.reason === reason &&
    condition.message === message &&
    (nominatedNodeName === undefined || (nominatedNodeName ?? '') === (status?.nominatedNodeName ?? ''))
  )
}

async function applyFailure(client: Client, clock: Clock, pod: Stored<Pod>, failure: SchedulingFailure): Promise<void> {
  const { reason, message, nominatedNodeName } = failure
  const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
  const lastTransitionTime = before?.status === 'False' && before.lastTransitionTime ? before.lastTransitionTime : formatTime(clock.now())
  const condition = { type: 'PodScheduled', status: 'False', lastTransitionTime, reason, message }
  await patchCondition(client, pod, condition, nominatedNodeName === undefined ? {} : { nominatedNodeName })
}

async function patchCondition(client: Client, pod: Stored<Pod>, condition: object, more: object = {}): Promise<void> {
  const { uid, generation } = pod.metadata
  const observed = generation === undefined ? {} : { observedGeneration: generation }
  const status = { conditions: [{ lastProbeTime: null, ...condition, ...observed }], ...more }
  await client.patch(podKind, refOf(pod), 'strategic', { metadata: { uid }, status }, { subresource: 'status' })
}

/** Sets the condition DisruptionTarget on the victim, then deletes it. */
async function applyPreemption(client: Client, clock: Clock, victim: Stored<Pod>, schedulerName: string): Promise<void> {
  await patchCondition(client, victim, {
    type: 'DisruptionTarget',
    status: 'True',
    lastTransitionTime: formatTime(clock.now()),
    reason: 'PreemptionByScheduler',
    message: `${schedulerName}: preempting to accommodate a higher priority pod`,
  })
  await client.delete(podKind, refOf(victim), { preconditions: { uid: victim.metadata.uid } })
}

async function clearNomination(client: Client, pod: Stored<Pod>): Promise<void> {
  const { uid } = pod.metadata
  await client.patch(podKind, refOf(pod), 'merge', { metadata: { uid }, status: { nominatedNodeName: null } }, { subresource: 'status' })
}

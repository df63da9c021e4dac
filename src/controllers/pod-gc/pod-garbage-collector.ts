// The pod garbage collector: deletes pods of deleted nodes, pods that were deleted before they were scheduled, terminating pods
// on nodes that are out of service, and the oldest terminated pods above a threshold. Runs every 20 seconds if needed.
// Kubernetes: pkg/controller/podgc.PodGCController.gc, PodGCController.markFailedAndDeletePodWithCondition
import { nodes as nodeKind, pods as podKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Pod, Stored } from '../../api/types.ts'
import type { CancelTimer } from '../../base/clock.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { isTerminal } from '../shared/plan/pod-state.ts'
import { lastStatusOf, missingNodes, type PodCollection, planPodCollection } from './plan/plan.ts'
import { Quarantine } from './quarantine.ts'

interface PodGarbageCollectorOptions extends CommonParts {
  readonly terminatedPodThreshold?: number
}

const periodMs = 20_000
const defaultTerminatedPodThreshold = 12_500
const maxConcurrentDeletions = 32

export const podGarbageCollector: ControllerDefinition = {
  name: 'pod-garbage-collector',
  start: startPodGarbageCollector,
}

export function startPodGarbageCollector(options: PodGarbageCollectorOptions): RunningController {
  const { client, clock, informers, terminatedPodThreshold = defaultTerminatedPodThreshold, onFailure } = options
  const pods = informers.get(podKind)
  const nodes = informers.get(nodeKind)
  const quarantine = new Quarantine()
  let cancelTimer: CancelTimer | undefined
  let running: Promise<void> | undefined
  let startedMs: number | undefined
  let isStopped = false

  /** Schedules a run at the next multiple of the period. */
  const scheduleRun = () => {
    if (isStopped || startedMs === undefined || cancelTimer !== undefined) return
    cancelTimer = clock.after(periodMs - ((clock.now() - startedMs) % periodMs), () => {
      cancelTimer = undefined
      // The previous run takes longer than a period.
      if (running !== undefined) scheduleRun()
      else run()
    })
  }

  const run = () => {
    running = collect()
      .catch((error) => {
        onFailure?.('pod garbage collection', error)
        return true
      })
      .then((isUnfinished) => {
        running = undefined
        if (isUnfinished) scheduleRun()
      })
  }

  /** Resolves to whether another run is needed. */
  const collect = async (): Promise<boolean> => {
    const known = new Map([...nodes.values()].map((node) => [node.metadata.name, node]))
    const all = [...pods.values()]
    const deletedNodes = new Set<string>()
    for (const name of quarantine.release(missingNodes(all, known), clock.now())) if (!(await nodeExists(name))) deletedNodes.add(name)
    const plan = planPodCollection({ pods: all, nodes: known, deletedNodes, terminatedPodThreshold })
    let failures = 0
    for (let at = 0; at < plan.length && !isStopped; at += maxConcurrentDeletions) {
      const results = await Promise.allSettled(plan.slice(at, at + maxConcurrentDeletions).map(applyCollection))
      for (const result of results) {
        if (result.status === 'fulfilled') continue
        failures++
        onFailure?.('pod garbage collection', result.reason)
      }
    }
    return failures > 0 || !quarantine.isEmpty || deletedNodes.size > 0
  }

  /** Asks the server: the cache may be behind. */
  const nodeExists = async (name: string): Promise<boolean> => {
    try {
      await client.get(nodeKind, { name })
      return true
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return false
      onFailure?.(`pod garbage collection: reading node ${name}`, error)
      return true
    }
  }

  const applyCollection = async (collection: PodCollection) => {
    const { namespace = '', name, uid } = collection.pod.metadata
    const status = lastStatusOf(collection, clock.now())
    try {
      if (status !== undefined)
        await client.patch(podKind, { namespace, name }, 'strategic', { metadata: { uid }, status }, { subresource: 'status' })
      await client.delete(podKind, { namespace, name }, { gracePeriodSeconds: 0, preconditions: { uid } })
    } catch (error) {
      // It was deleted, or another pod has its name.
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
    }
  }

  const needsRun = ({ metadata, spec, status }: Stored<Pod>): boolean =>
    metadata.deletionTimestamp !== undefined ||
    isTerminal({ status: status ?? {} }) ||
    (spec?.nodeName !== undefined && nodes.get(spec.nodeName) === undefined)

  pods.onChange((current) => {
    if (current !== undefined && cancelTimer === undefined && needsRun(current)) scheduleRun()
  })
  // A node was deleted, or its out-of-service taint may have changed.
  nodes.onChange((current, previous) => {
    if (current === undefined || current.spec?.taints !== previous?.spec?.taints) scheduleRun()
  })

  return {
    synced: Promise.all([pods.synced, nodes.synced]).then(() => {
      startedMs = clock.now()
      if (!isStopped) run()
    }),
    async stop() {
      isStopped = true
      cancelTimer?.()
      await running
    },
  }
}

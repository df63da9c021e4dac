// Removes pods that no node will: those of vanished nodes, those that were deleted before they got a node, those on
// nodes that are out of service, and the oldest of very many that have ended. Every 20 seconds, when there is cause.
import { nodes as nodeKind, pods as podKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Pod, Stored } from '../../api/types.ts'
import type { CancelTimer } from '../../base/clock.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import { isTerminal } from '../shared/plan/pod-state.ts'
import { lastStatusOf, missingNodes, type PodCollection, planPodCollection } from './plan/plan.ts'
import { Quarantine } from './quarantine.ts'

export interface PodGarbageCollectorOptions extends CommonParts {
  readonly terminatedPodThreshold?: number
}

const periodMs = 20_000
const usualThreshold = 12_500
const removalsAtATime = 32

export function startPodGarbageCollector(options: PodGarbageCollectorOptions): RunningController {
  const { client, clock, informers, terminatedPodThreshold = usualThreshold, onFailure } = options
  const pods = informers.get(podKind)
  const nodes = informers.get(nodeKind)
  const quarantine = new Quarantine()
  let cancelTimer: CancelTimer | undefined
  let running: Promise<void> | undefined
  let startedMs: number | undefined
  let isStopped = false

  /** Looks at the next whole period. */
  const arm = () => {
    if (isStopped || startedMs === undefined || cancelTimer !== undefined) return
    cancelTimer = clock.after(periodMs - ((clock.now() - startedMs) % periodMs), () => {
      cancelTimer = undefined
      // The look before this one takes longer than a period.
      if (running !== undefined) arm()
      else look()
    })
  }

  const look = () => {
    running = collect()
      .catch((error) => {
        onFailure?.('pod garbage collection', error)
        return true
      })
      .then((isUnfinished) => {
        running = undefined
        if (isUnfinished) arm()
      })
  }

  /** Resolves to whether there is cause to look again. */
  const collect = async (): Promise<boolean> => {
    const known = new Map([...nodes.values()].map((node) => [node.metadata.name, node]))
    const all = [...pods.values()]
    const deletedNodes = new Set<string>()
    for (const name of quarantine.release(missingNodes(all, known), clock.now())) if (!(await isNodeThere(name))) deletedNodes.add(name)
    const plan = planPodCollection({ pods: all, nodes: known, deletedNodes, terminatedPodThreshold })
    let failures = 0
    for (let at = 0; at < plan.length && !isStopped; at += removalsAtATime) {
      const results = await Promise.allSettled(plan.slice(at, at + removalsAtATime).map(applyCollection))
      for (const result of results) {
        if (result.status === 'fulfilled') continue
        failures++
        onFailure?.('pod garbage collection', result.reason)
      }
    }
    return failures > 0 || !quarantine.isEmpty || deletedNodes.size > 0
  }

  /** Asks the server: the copy may be behind. */
  const isNodeThere = async (name: string): Promise<boolean> => {
    try {
      await client.get(nodeKind, { name })
      return true
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return false
      onFailure?.(`pod garbage collection: looking for node ${name}`, error)
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
      // It is gone, or another pod has its name.
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
    }
  }

  const isCause = ({ metadata, spec, status }: Stored<Pod>): boolean =>
    metadata.deletionTimestamp !== undefined ||
    isTerminal({ status: status ?? {} }) ||
    (spec?.nodeName !== undefined && nodes.get(spec.nodeName) === undefined)

  pods.onChange((current) => {
    if (current !== undefined && cancelTimer === undefined && isCause(current)) arm()
  })
  // A node that is gone, or is out of service, or comes back.
  nodes.onChange((current, previous) => {
    if (current === undefined || current.spec?.taints !== previous?.spec?.taints) arm()
  })

  return {
    synced: Promise.all([pods.synced, nodes.synced]).then(() => {
      startedMs = clock.now()
      if (!isStopped) look()
    }),
    async stop() {
      isStopped = true
      cancelTimer?.()
      await running
    },
  }
}

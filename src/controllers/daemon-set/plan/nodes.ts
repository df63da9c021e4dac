// Which nodes need a pod, and which pods have to be deleted, regardless of the update strategy.
// Kubernetes: pkg/controller/daemon.DaemonSetsController.manage, DaemonSetsController.podsShouldBeOnNode, getUnscheduledPodsWithoutNode

import type { Node, Pod, Stored } from '../../../api/types.ts'
import { normal, type PlannedEvent, warning } from '../../shared/plan/planned-event.ts'
import { isAvailable, isReady } from '../../shared/plan/pod-state.ts'
import { deletableAtMs, nextBackoff, unexpiredBackoffs } from './failed-pods.ts'
import { revisionLabel, sortByAge } from './pods.ts'
import { allowsSurge } from './rolling-update.ts'
import type { Backoff, DaemonSetSnapshot, Work } from './snapshot.ts'

interface NodesPlan extends Work {
  readonly notices: readonly PlannedEvent[]
  readonly backoffs: ReadonlyMap<string, Backoff>
  readonly requeueAtMs?: number
}

export function planNodes(snapshot: DaemonSetSnapshot, byNode: ReadonlyMap<string, readonly Stored<Pod>[]>): NodesPlan {
  const { nodes, place, nowMs, set } = snapshot
  const create: string[] = []
  const deletions: Stored<Pod>[] = []
  const notices: PlannedEvent[] = []
  const backoffs = unexpiredBackoffs(snapshot.backoffs, nowMs)
  let requeueAtMs: number | undefined
  const seen = new Set<string>()

  /** Terminated pods are deleted, so that new ones can be created. After repeated failures that is delayed. */
  const deleteTerminated = (node: Stored<Node>, pods: readonly Stored<Pod>[]) => {
    const { name } = node.metadata
    const alive: Stored<Pod>[] = []
    let isWaiting = false
    for (const pod of pods) {
      if (pod.metadata.deletionTimestamp !== undefined) continue
      const subject = () => `daemon pod ${pod.metadata.namespace}/${pod.metadata.name} on node ${name}`
      if (pod.status?.phase === 'Failed') {
        const atMs = deletableAtMs(backoffs.get(name), nowMs)
        if (atMs !== undefined) {
          requeueAtMs = Math.min(requeueAtMs ?? atMs, atMs)
          isWaiting = true
          continue
        }
        backoffs.set(name, nextBackoff(backoffs.get(name), nowMs))
        notices.push(warning('FailedDaemonPod', `Found failed ${subject()}, will try to kill it`))
        deletions.push(pod)
      } else if (pod.status?.phase === 'Succeeded') {
        notices.push(normal('SucceededDaemonPod', `Found succeeded ${subject()}, will try to delete it`))
        deletions.push(pod)
      } else alive.push(pod)
    }
    return { alive, isWaiting }
  }

  for (const node of nodes) {
    const { name } = node.metadata
    seen.add(name)
    const { shouldRun, shouldStay } = place(node)
    const pods = byNode.get(name)
    if (pods === undefined) {
      if (shouldRun) create.push(name)
    } else if (!shouldStay) {
      for (const pod of pods) if (pod.metadata.deletionTimestamp === undefined) deletions.push(pod)
    } else {
      const { alive, isWaiting } = deleteTerminated(node, pods)
      if (!allowsSurge(set)) deletions.push(...sortByAge(alive).slice(1))
      else if (alive.length > 0) deletions.push(...surplusOf(snapshot, alive))
      // While surging, a terminating pod does not prevent a new one on its node.
      else if (shouldRun && !isWaiting) create.push(name)
    }
  }

  // Unscheduled pods for nodes that no longer exist: no other component deletes them.
  for (const [name, pods] of byNode)
    if (!seen.has(name))
      for (const pod of pods) if (!pod.spec?.nodeName && pod.metadata.deletionTimestamp === undefined) deletions.push(pod)
  return { create, delete: deletions, notices, backoffs, ...(requeueAtMs !== undefined && { requeueAtMs }) }
}

/**
 * While surging, a node may have two pods: a ready old one, and a new one that is not available yet. The oldest of each kind is
 * kept; an old one that is not ready, or whose successor is available, is deleted.
 */
function surplusOf({ set, revision, nowMs }: DaemonSetSnapshot, alive: readonly Stored<Pod>[]): Stored<Pod>[] {
  if (alive.length < 2) return []
  const surplus: Stored<Pod>[] = []
  let newPod: Stored<Pod> | undefined
  let oldPod: Stored<Pod> | undefined
  for (const pod of sortByAge(alive)) {
    const isNew = pod.metadata.labels?.[revisionLabel] === revision.hash
    if (isNew && newPod === undefined) newPod = pod
    else if (!isNew && oldPod === undefined) oldPod = pod
    else surplus.push(pod)
  }
  if (newPod !== undefined && oldPod !== undefined)
    if (!isReady(oldPod) || isAvailable(newPod, set.spec?.minReadySeconds ?? 0, nowMs)) surplus.push(oldPod)
  return surplus
}

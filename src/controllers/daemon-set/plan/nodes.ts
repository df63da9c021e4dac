// Which nodes get a pod, and which pods have to go from theirs, whatever the update strategy.
import type { Node, Pod, Stored } from '../../../api/types.ts'
import { isAvailable, isReady } from '../../shared/plan/pod-state.ts'
import { deletableAtMs, keptBackoffs, nextBackoff } from './failed-pods.ts'
import { revisionLabel, sortByAge } from './pods.ts'
import { allowsSurge } from './rolling-update.ts'
import type { Backoff, DaemonSetSnapshot, Notice, Work } from './snapshot.ts'

export interface NodesPlan extends Work {
  readonly notices: readonly Notice[]
  readonly backoffs: ReadonlyMap<string, Backoff>
  readonly requeueAtMs?: number
}

export function planNodes(snapshot: DaemonSetSnapshot, byNode: ReadonlyMap<string, readonly Stored<Pod>[]>): NodesPlan {
  const { nodes, place, nowMs, set } = snapshot
  const create: string[] = []
  const going: Stored<Pod>[] = []
  const notices: Notice[] = []
  const backoffs = keptBackoffs(snapshot.backoffs, nowMs)
  let requeueAtMs: number | undefined
  const seen = new Set<string>()

  /** Pods that have ended go, so that new ones can come; the rest are alive. One that failed again may have to wait. */
  const clearEnded = (node: Stored<Node>, pods: readonly Stored<Pod>[]) => {
    const { name } = node.metadata
    const alive: Stored<Pod>[] = []
    let isWaiting = false
    for (const pod of pods) {
      if (pod.metadata.deletionTimestamp !== undefined) continue
      const subject = `daemon pod ${pod.metadata.namespace}/${pod.metadata.name} on node ${name}`
      if (pod.status?.phase === 'Failed') {
        const atMs = deletableAtMs(backoffs.get(name), nowMs)
        if (atMs !== undefined) {
          requeueAtMs = Math.min(requeueAtMs ?? atMs, atMs)
          isWaiting = true
          continue
        }
        backoffs.set(name, nextBackoff(backoffs.get(name), nowMs))
        notices.push({ type: 'Warning', reason: 'FailedDaemonPod', message: `Found failed ${subject}, will try to kill it` })
        going.push(pod)
      } else if (pod.status?.phase === 'Succeeded') {
        notices.push({ type: 'Normal', reason: 'SucceededDaemonPod', message: `Found succeeded ${subject}, will try to delete it` })
        going.push(pod)
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
      for (const pod of pods) if (pod.metadata.deletionTimestamp === undefined) going.push(pod)
    } else {
      const { alive, isWaiting } = clearEnded(node, pods)
      if (!allowsSurge(set)) going.push(...sortByAge(alive).slice(1))
      else if (alive.length > 0) going.push(...surplusOf(snapshot, alive))
      // While surging, a pod that is only terminating does not hold its node's place.
      else if (shouldRun && !isWaiting) create.push(name)
    }
  }

  // The scheduler never brings them anywhere, and nobody else would remove them.
  for (const [name, pods] of byNode)
    if (!seen.has(name)) for (const pod of pods) if (!pod.spec?.nodeName && pod.metadata.deletionTimestamp === undefined) going.push(pod)
  return { create, delete: going, notices, backoffs, ...(requeueAtMs !== undefined && { requeueAtMs }) }
}

/**
 * While surging, two pods may be on a node: an old one that is ready, and a new one that is not available yet. The
 * oldest of either kind stays; an old one that is not ready, or whose successor is available, goes.
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

// Which old pods of a DaemonSet are deleted, or get a successor on the same node, within maxUnavailable and maxSurge.
// Kubernetes: pkg/controller/daemon.DaemonSetsController.rollingUpdate, DaemonSetsController.updatedDesiredNodeCounts
// Kubernetes: pkg/controller/daemon.findUpdatedPodsOnNode
// Kubernetes: pkg/controller/daemon/util.AllowsSurge, SurgeCount, UnavailableCount
import type { DaemonSet, Pod, Stored } from '../../../api/types.ts'
import { scaledValue } from '../../../base/int-or-percent.ts'
import { isAvailable } from '../../shared/plan/pod-state.ts'
import { hasOldPod, isUpdated } from './pods.ts'
import type { DaemonSetSnapshot, Work } from './snapshot.ts'

type ByNode = ReadonlyMap<string, readonly Stored<Pod>[]>

const parameters = ({ spec }: DaemonSet) => (spec?.updateStrategy?.type === 'RollingUpdate' ? spec.updateStrategy.rollingUpdate : undefined)

/** Both are rounded up. If both are 0, maxUnavailable becomes 1. */
export function limitsOf(set: DaemonSet, desired: number): { readonly maxSurge: number; readonly maxUnavailable: number } {
  const { maxSurge, maxUnavailable } = parameters(set) ?? {}
  const surge = scaledValue(maxSurge ?? 0, desired, true) ?? 0
  const unavailable = scaledValue(maxUnavailable ?? 0, desired, true) ?? 0
  return { maxSurge: surge, maxUnavailable: desired > 0 && surge === 0 && unavailable === 0 ? 1 : unavailable }
}

export function allowsSurge(set: DaemonSet): boolean {
  return (scaledValue(parameters(set)?.maxSurge ?? 0, 1, true) ?? 0) > 0
}

/** Called when every node has its pods, whatever their revision. */
export function planRollingUpdate(snapshot: DaemonSetSnapshot, byNode: ByNode): Work {
  const { set, nodes, place } = snapshot
  if (set.spec?.updateStrategy?.type !== 'RollingUpdate' || !hasOldPod(snapshot)) return { create: [], delete: [] }
  const shouldRun = new Set<string>()
  for (const node of nodes) if (place(node).shouldRun) shouldRun.add(node.metadata.name)
  const { maxSurge, maxUnavailable } = limitsOf(set, shouldRun.size)
  // Nodes without a pod count too.
  const all = new Map(byNode)
  for (const name of shouldRun) if (!all.has(name)) all.set(name, [])
  return maxSurge > 0 ? planSurge(snapshot, all, shouldRun, maxSurge) : planReplacements(snapshot, all, maxUnavailable)
}

interface OnNode {
  readonly newPod?: Stored<Pod>
  readonly oldPod?: Stored<Pod>
}

/** Undefined if a node has several old or several new pods: the next sync deletes the surplus. */
function podsOn({ set, revision }: DaemonSetSnapshot, pods: readonly Stored<Pod>[]): OnNode | undefined {
  let newPod: Stored<Pod> | undefined
  let oldPod: Stored<Pod> | undefined
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp !== undefined) continue
    if (isUpdated(pod, set, revision.hash)) {
      if (newPod !== undefined) return undefined
      newPod = pod
    } else {
      if (oldPod !== undefined) return undefined
      oldPod = pod
    }
  }
  return { ...(newPod !== undefined && { newPod }), ...(oldPod !== undefined && { oldPod }) }
}

/** Unavailable old pods are deleted at once, available ones within maxUnavailable. */
function planReplacements(snapshot: DaemonSetSnapshot, byNode: ByNode, maxUnavailable: number): Work {
  const isUp = availabilityIn(snapshot)
  let unavailable = 0
  const broken: Stored<Pod>[] = []
  const candidates: Stored<Pod>[] = []
  for (const pods of byNode.values()) {
    const { newPod, oldPod } = podsOn(snapshot, pods) ?? {}
    // No pod, both, or too many: the node is changing.
    if ((newPod === undefined) === (oldPod === undefined)) unavailable++
    else if (newPod !== undefined) unavailable += isUp(newPod) ? 0 : 1
    else if (oldPod !== undefined && !isUp(oldPod)) {
      broken.push(oldPod)
      unavailable++
    } else if (oldPod !== undefined && candidates.length < maxUnavailable) candidates.push(oldPod)
  }
  return { create: [], delete: [...broken, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable))] }
}

/**
 * An unavailable old pod gets a successor at once, available ones within maxSurge. An old pod is deleted when its successor is
 * available. On a node that should no longer run a pod, an available pod is deleted only when enough others are available.
 */
function planSurge(snapshot: DaemonSetSnapshot, byNode: ByNode, shouldRun: ReadonlySet<string>, maxSurge: number): Work {
  const isUp = availabilityIn(snapshot)
  const deletions: Stored<Pod>[] = []
  const misplaced: Stored<Pod>[] = []
  const urgent: string[] = []
  const candidates: string[] = []
  let surge = 0
  let available = 0
  for (const [name, pods] of byNode) {
    const found = podsOn(snapshot, pods)
    if (found === undefined) {
      surge++
      continue
    }
    const { newPod, oldPod } = found
    const serving = oldPod ?? newPod
    if (serving !== undefined && isUp(serving)) available++
    if (oldPod === undefined) continue
    if (newPod !== undefined) {
      if (isUp(newPod)) deletions.push(oldPod)
      else surge++
    } else if (!isUp(oldPod)) {
      if (shouldRun.has(name)) urgent.push(name)
      else deletions.push(oldPod)
    } else if (!shouldRun.has(name)) misplaced.push(oldPod)
    else if (candidates.length < maxSurge) candidates.push(name)
  }
  return {
    create: [...urgent, ...candidates.slice(0, Math.max(0, maxSurge - surge))],
    delete: [...deletions, ...misplaced.slice(0, Math.max(0, available - shouldRun.size))],
  }
}

function availabilityIn({ set, nowMs }: DaemonSetSnapshot): (pod: Stored<Pod>) => boolean {
  const minReadySeconds = set.spec?.minReadySeconds ?? 0
  return (pod) => isAvailable(pod, minReadySeconds, nowMs)
}

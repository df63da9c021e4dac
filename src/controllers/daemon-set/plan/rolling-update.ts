// Which old pods of a DaemonSet go, or get a successor beside them, without leaving too many nodes without a pod.
import type { DaemonSet, Pod, Stored } from '../../../api/types.ts'
import { scaledValue } from '../../../base/int-or-percent.ts'
import { isAvailable } from '../../shared/plan/pod-state.ts'
import { isUpdated } from './pods.ts'
import type { DaemonSetSnapshot, Work } from './snapshot.ts'

type ByNode = ReadonlyMap<string, readonly Stored<Pod>[]>

const parameters = ({ spec }: DaemonSet) => (spec?.updateStrategy?.type === 'RollingUpdate' ? spec.updateStrategy.rollingUpdate : undefined)

/** Both round up; 0 and 0 cannot be meant, and is taken for one unavailable pod. */
export function limitsOf(set: DaemonSet, desired: number): { readonly maxSurge: number; readonly maxUnavailable: number } {
  const { maxSurge, maxUnavailable } = parameters(set) ?? {}
  const surge = scaledValue(maxSurge ?? 0, desired, true) ?? 0
  const unavailable = scaledValue(maxUnavailable ?? 0, desired, true) ?? 0
  return { maxSurge: surge, maxUnavailable: desired > 0 && surge === 0 && unavailable === 0 ? 1 : unavailable }
}

export function allowsSurge(set: DaemonSet): boolean {
  return (scaledValue(parameters(set)?.maxSurge ?? 0, 1, true) ?? 0) > 0
}

/** For when every node has the pods that it should have, but for their age. */
export function planRollingUpdate(snapshot: DaemonSetSnapshot, byNode: ByNode): Work {
  const { set, nodes, place } = snapshot
  if (set.spec?.updateStrategy?.type !== 'RollingUpdate') return { create: [], delete: [] }
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

/** Undefined when there are several of one kind: that is for others to sort out. */
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

/** An old pod that is not available goes at once; of the available ones so many as may be unavailable. */
function planReplacements(snapshot: DaemonSetSnapshot, byNode: ByNode, maxUnavailable: number): Work {
  const isUp = availabilityIn(snapshot)
  let unavailable = 0
  const broken: Stored<Pod>[] = []
  const candidates: Stored<Pod>[] = []
  for (const pods of byNode.values()) {
    const { newPod, oldPod } = podsOn(snapshot, pods) ?? {}
    // None, both, or too many: the node is being looked after.
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
 * A successor beside an old pod that is not available at once; beside available ones, so many as may surge. An old
 * pod goes when its successor is available. On a node that is no longer wanted, an available pod goes only when enough
 * others are available.
 */
function planSurge(snapshot: DaemonSetSnapshot, byNode: ByNode, shouldRun: ReadonlySet<string>, maxSurge: number): Work {
  const isUp = availabilityIn(snapshot)
  const going: Stored<Pod>[] = []
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
      if (isUp(newPod)) going.push(oldPod)
      else surge++
    } else if (!isUp(oldPod)) {
      if (shouldRun.has(name)) urgent.push(name)
      else going.push(oldPod)
    } else if (!shouldRun.has(name)) misplaced.push(oldPod)
    else if (candidates.length < maxSurge) candidates.push(name)
  }
  return {
    create: [...urgent, ...candidates.slice(0, Math.max(0, maxSurge - surge))],
    delete: [...going, ...misplaced.slice(0, Math.max(0, available - shouldRun.size))],
  }
}

function availabilityIn({ set, nowMs }: DaemonSetSnapshot): (pod: Stored<Pod>) => boolean {
  const minReadySeconds = set.spec?.minReadySeconds ?? 0
  return (pod) => isAvailable(pod, minReadySeconds, nowMs)
}

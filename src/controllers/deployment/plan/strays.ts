// Pods that no ReplicaSet counts: those of ReplicaSets that were deleted, without their pods, while their Deployment exists, and
// pods without a controller.
// Ours: pods of deleted ReplicaSets count too.
import { controllerOf } from '../../../api/machinery/owners.ts'
import type { Deployment, Pod, Stored } from '../../../api/types.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'
import { setName, templateHashLabel } from './replica-sets.ts'
import { isSelected } from './selection.ts'

/** Pods that a Deployment selects, that have not terminated, and that no ReplicaSet counts. */
export interface UncountedPods {
  /** Those of deleted ReplicaSets that the Deployment owned. They hold room by themselves until the garbage collector has deleted them. */
  readonly strays: readonly Stored<Pod>[]
  /** Those without a controller that are not terminating. A ReplicaSet that selects them adopts them; otherwise they do not count. */
  readonly orphans: readonly Stored<Pod>[]
}

/** Whether a pod is one of them. The ReplicaSet that was its controller no longer exists, or it has no controller. */
export function isUncounted(deployment: Deployment, pod: Pod): boolean {
  const isOwn = controllerOf(pod) === undefined ? pod.metadata?.deletionTimestamp === undefined : isOfOwnedSet(deployment, pod)
  return isOwn && !isTerminal(pod) && isSelected(deployment, pod)
}

/**
 * Whether the Deployment owned the deleted ReplicaSet that is the controller of the pod. A deleted ReplicaSet is known by its name only. A
 * pod that is older than the Deployment is one of a predecessor of the same name.
 */
function isOfOwnedSet({ metadata: owner }: Deployment, pod: Pod): boolean {
  const { kind, name } = controllerOf(pod)!
  const hash = pod.metadata?.labels?.[templateHashLabel]
  if (kind !== 'ReplicaSet' || !hash || name !== setName(owner?.name ?? '', hash)) return false
  return (pod.metadata?.creationTimestamp ?? '') >= (owner?.creationTimestamp ?? '')
}

/** `pods` are of the namespace of the Deployment, and no ReplicaSet counts them. */
export function sortUncounted(deployment: Deployment, pods: Iterable<Stored<Pod>>): UncountedPods {
  const strays: Stored<Pod>[] = []
  const orphans: Stored<Pod>[] = []
  for (const pod of pods) {
    if (!isUncounted(deployment, pod)) continue
    if (controllerOf(pod) === undefined) orphans.push(pod)
    else strays.push(pod)
  }
  return { strays, orphans }
}

// Pods of ReplicaSets that were deleted, without their pods, while their Deployment exists. No ReplicaSet counts them.
import { controllerOf } from '../../../api/machinery/owners.ts'
import type { Deployment, OwnerReference, Pod, Stored } from '../../../api/types.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'
import { isSelected } from './selection.ts'

/**
 * Whether the Deployment has to count a pod whose `controller` is a ReplicaSet that no longer exists, or undefined. With a
 * controller, the garbage collector will delete it. Without one, it only counts while it terminates: otherwise a ReplicaSet
 * adopts and counts it, or it does not belong to the Deployment.
 */
export function isStray(deployment: Deployment, pod: Pod, controller: OwnerReference | undefined): boolean {
  if (isTerminal(pod) || (controller === undefined && pod.metadata?.deletionTimestamp === undefined)) return false
  return isSelected(deployment, pod)
}

/** The pods that the Deployment has to count. `pods` are of its namespace, and no ReplicaSet counts them. */
export const straysOf = (deployment: Deployment, pods: Iterable<Stored<Pod>>): readonly Stored<Pod>[] => {
  const strays: Stored<Pod>[] = []
  for (const pod of pods) {
    if (isStray(deployment, pod, controllerOf(pod))) strays.push(pod)
  }
  return strays
}

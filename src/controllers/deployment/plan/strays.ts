// The pods of ReplicaSets that were deleted under their Deployment. No ReplicaSet counts them, and they are still there.
import { controllerOf } from '../../../api/machinery/owners.ts'
import type { Deployment, OwnerReference, Pod, Stored } from '../../../api/types.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'
import { isSelected } from './selection.ts'

/**
 * Whether the Deployment has to count a pod whose controller is `controller`, a ReplicaSet that does not exist, or which
 * has none. With a controller, the garbage collector is about to delete it, or has; without one, it only counts while it
 * terminates: otherwise a ReplicaSet adopts it and counts it, or it is not the Deployment's.
 */
export function isStray(deployment: Deployment, pod: Pod, controller: OwnerReference | undefined): boolean {
  if (isTerminal(pod) || (controller === undefined && pod.metadata?.deletionTimestamp === undefined)) return false
  return isSelected(deployment, pod)
}

/** The pods among these that the Deployment has to count. All are of its namespace, and no ReplicaSet counts them. */
export const straysOf = (deployment: Deployment, pods: Iterable<Stored<Pod>>): readonly Stored<Pod>[] => {
  const strays: Stored<Pod>[] = []
  for (const pod of pods) {
    if (isStray(deployment, pod, controllerOf(pod))) strays.push(pod)
  }
  return strays
}

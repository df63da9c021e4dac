// Pods that no ReplicaSet counts: those of ReplicaSets that were deleted, without their pods, while their Deployment exists, and
// pods without a controller.
import { controllerOf } from '../../../api/machinery/owners.ts'
import type { Deployment, OwnerReference, Pod, Stored } from '../../../api/types.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'
import { isSelected } from './selection.ts'

/** Pods that a Deployment selects, that have not terminated, and that no ReplicaSet counts. */
export interface UncountedPods {
  /**
   * Those that hold room by themselves. With a controller, which was deleted, the garbage collector will delete them. Without one, they
   * are terminating, and no ReplicaSet adopts them any more.
   */
  readonly strays: readonly Stored<Pod>[]
  /** Those that a ReplicaSet adopts if it selects them. Otherwise they do not belong to the Deployment. */
  readonly orphans: readonly Stored<Pod>[]
}

/** Whether a pod is one of them. The ReplicaSet that was its controller no longer exists, or it has no controller. */
export const isUncounted = (deployment: Deployment, pod: Pod): boolean => !isTerminal(pod) && isSelected(deployment, pod)

export const isStray = (deployment: Deployment, pod: Pod, controller: OwnerReference | undefined): boolean =>
  (controller !== undefined || pod.metadata?.deletionTimestamp !== undefined) && isUncounted(deployment, pod)

/** `pods` are of the namespace of the Deployment, and no ReplicaSet counts them. */
export function sortUncounted(deployment: Deployment, pods: Iterable<Stored<Pod>>): UncountedPods {
  const strays: Stored<Pod>[] = []
  const orphans: Stored<Pod>[] = []
  for (const pod of pods) {
    if (!isUncounted(deployment, pod)) continue
    if (isStray(deployment, pod, controllerOf(pod))) strays.push(pod)
    else orphans.push(pod)
  }
  return { strays, orphans }
}

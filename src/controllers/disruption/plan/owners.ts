// The controllers of the pods of a budget: percentages refer to the replicas that they request.
// Kubernetes: pkg/controller/disruption.DisruptionController.finders, DisruptionController.getPodReplicaSet
// Kubernetes: pkg/controller/disruption.DisruptionController.getPodStatefulSet, DisruptionController.getPodDeployment
// Kubernetes: pkg/controller/disruption.DisruptionController.getPodReplicationController, verifyGroupKind
import { controllerOf } from '../../../api/machinery/owners.ts'
import type { OwnerReference, Pod, Stored } from '../../../api/types.ts'

interface ControlledPods {
  /** Each controller once, with the first pod that names it. */
  readonly controllers: readonly { readonly reference: OwnerReference; readonly podName: string }[]
  /** The names of pods without a controller. */
  readonly unmanaged: readonly string[]
}

export function controllersOf(pods: readonly Stored<Pod>[]): ControlledPods {
  const controllers = new Map<string, { reference: OwnerReference; podName: string }>()
  const unmanaged: string[] = []
  for (const { metadata } of pods) {
    const reference = controllerOf({ metadata })
    if (reference === undefined) unmanaged.push(metadata.name)
    else if (!controllers.has(reference.uid)) controllers.set(reference.uid, { reference, podName: metadata.name })
  }
  return { controllers: [...controllers.values()], unmanaged }
}

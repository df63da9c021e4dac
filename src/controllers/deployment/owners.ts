// Finds the Deployments that a change of a ReplicaSet or pod concerns.
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, OwnerReference, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import type { Informer } from '../../runtime/informer.ts'
import { isSelected } from './plan/selection.ts'

/** The key of the Deployment that controls the ReplicaSet, if it exists. */
function readOwnerKey(deployments: Informer<Deployment>, set: Stored<ReplicaSet>): string | undefined {
  return readByReference(deployments, set.metadata.namespace, controllerOf(set))
}

function readByReference(
  deployments: Informer<Deployment>,
  namespace: string | undefined,
  reference: OwnerReference | undefined,
): string | undefined {
  if (reference?.kind !== 'Deployment') return undefined
  const key = `${namespace}/${reference.name}`
  return deployments.get(key)?.metadata.uid === reference.uid ? key : undefined
}

/** Whether the Deployment would adopt an orphan. */
export const isAdopter = (deployment: Deployment, orphan: Stored<ReplicaSet>): boolean =>
  Object.keys(orphan.metadata.labels ?? {}).length > 0 && isSelected(deployment, orphan)

/** The key of the Deployment that controls the ReplicaSet of the pod. */
export function readOwnerKeyOfPod(
  deployments: Informer<Deployment>,
  replicaSets: Informer<ReplicaSet>,
  pod: Stored<Pod>,
): string | undefined {
  const reference = controllerOf(pod)
  if (reference?.kind !== 'ReplicaSet') return undefined
  const set = replicaSets.get(`${pod.metadata.namespace}/${reference.name}`)
  return set?.metadata.uid === reference.uid ? readOwnerKey(deployments, set) : undefined
}

// Which objects an owner controls, adopts and releases.
// Kubernetes: pkg/controller.BaseControllerRefManager.ClaimObject
import type { KubernetesObject, Stored } from '../../../api/types.ts'

export interface OwnershipPlan<T> {
  readonly owned: readonly T[]
  readonly adopt: readonly T[]
  readonly release: readonly T[]
}

/**
 * `controlled` name the owner as their controller, `orphans` have no controller. An owner that is being deleted neither adopts
 * nor releases; an object that is being deleted is not adopted.
 */
export function planOwnership<T extends Stored<KubernetesObject>>(
  owner: Stored<KubernetesObject>,
  controlled: Iterable<T>,
  orphans: Iterable<T>,
  isSelected: (object: T) => boolean,
): OwnershipPlan<T> {
  const owned: T[] = []
  const adopt: T[] = []
  const release: T[] = []
  const isBeingDeleted = owner.metadata.deletionTimestamp !== undefined
  for (const object of controlled) {
    if (isSelected(object)) owned.push(object)
    else if (!isBeingDeleted) release.push(object)
  }
  if (!isBeingDeleted)
    for (const object of orphans) if (object.metadata.deletionTimestamp === undefined && isSelected(object)) adopt.push(object)
  return { owned, adopt, release }
}

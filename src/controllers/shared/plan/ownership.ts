// Which objects belong to an owner: those it controls and still wants, and the orphans that it wants.
import type { KubernetesObject, Stored } from '../../../api/types.ts'

export interface OwnershipPlan<T> {
  readonly owned: readonly T[]
  readonly adopt: readonly T[]
  readonly release: readonly T[]
}

/**
 * `controlled` name the owner as their controller, `orphans` name none. An owner that is being deleted takes nothing and
 * lets nothing go, and nobody takes what is being deleted.
 */
export function planOwnership<T extends Stored<KubernetesObject>>(
  owner: Stored<KubernetesObject>,
  controlled: Iterable<T>,
  orphans: Iterable<T>,
  isWanted: (object: T) => boolean,
): OwnershipPlan<T> {
  const owned: T[] = []
  const adopt: T[] = []
  const release: T[] = []
  const isBeingDeleted = owner.metadata.deletionTimestamp !== undefined
  for (const object of controlled) {
    if (isWanted(object)) owned.push(object)
    else if (!isBeingDeleted) release.push(object)
  }
  if (!isBeingDeleted)
    for (const object of orphans) if (object.metadata.deletionTimestamp === undefined && isWanted(object)) adopt.push(object)
  return { owned, adopt, release }
}

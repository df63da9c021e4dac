// Takes orphans over and lets go of pods that are no longer selected, through their controller references.
import { pods } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { OwnerReference, Pod, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'

export interface ClaimingOwner {
  readonly client: Client
  readonly reference: OwnerReference
  /** Asks the server, not the cache, whether the owner may still adopt; throws when it may not. */
  recheck(): Promise<void>
}

/** Resolves to the pods that were adopted. Throws when one could not be adopted or released, after all were tried. */
export async function applyClaims(
  owner: ClaimingOwner,
  adopt: readonly Stored<Pod>[],
  release: readonly Stored<Pod>[],
): Promise<Stored<Pod>[]> {
  // An owner that is already going must not take pods with it.
  if (adopt.length > 0) await owner.recheck()
  const results = await Promise.allSettled([
    ...adopt.map((pod) => applyAdoption(owner, pod)),
    ...release.map((pod) => applyRelease(owner, pod)),
  ])
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return adopt.filter((_, index) => (results[index] as PromiseFulfilledResult<boolean>).value)
}

/** The uid in a patch makes it fail when another pod has the name by now. */
const patchReferences = ({ client }: ClaimingOwner, { metadata }: Stored<Pod>, ownerReferences: readonly unknown[]) =>
  client.patch(pods, { namespace: metadata.namespace ?? '', name: metadata.name }, 'strategic', {
    metadata: { uid: metadata.uid, ownerReferences },
  })

async function applyAdoption(owner: ClaimingOwner, pod: Stored<Pod>): Promise<boolean> {
  try {
    await patchReferences(owner, pod, [owner.reference])
    return true
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return false
    throw error
  }
}

async function applyRelease(owner: ClaimingOwner, pod: Stored<Pod>): Promise<boolean> {
  try {
    await patchReferences(owner, pod, [{ $patch: 'delete', uid: owner.reference.uid }])
  } catch (error) {
    // Gone, or another pod of that name: either way there is nothing to release.
    if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Invalid')) throw error
  }
  return false
}

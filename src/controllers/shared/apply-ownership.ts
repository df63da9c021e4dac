// Takes orphans over and lets go of what is no longer wanted, through controller references.
import type { Resource } from '../../api/machinery/kind.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, OwnerReference, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import type { OwnershipPlan } from './plan/ownership.ts'

export interface Adopter {
  readonly client: Client
  /** The owner's kind. */
  readonly resource: Resource
  readonly owner: Stored<KubernetesObject>
  readonly reference: OwnerReference
}

/** Resolves to what belongs to the owner now. Throws when something could not be adopted or released, after all was tried. */
export async function applyOwnership<T extends KubernetesObject>(
  adopter: Adopter,
  resource: Resource<T>,
  { owned, adopt, release }: OwnershipPlan<Stored<T>>,
): Promise<readonly Stored<T>[]> {
  if (adopt.length === 0 && release.length === 0) return owned
  // An owner that is already going must not take anything with it: the server knows, the cache may not.
  if (adopt.length > 0) await recheck(adopter)
  const { client, reference } = adopter
  // The uid in a patch makes it fail when another object has the name by now.
  const patch = ({ metadata: { namespace, name, uid } }: Stored<T>, ownerReferences: readonly unknown[]) =>
    client.patch(resource, { name, ...(namespace !== undefined && { namespace }) }, 'strategic', { metadata: { uid, ownerReferences } })
  const adoptions = adopt.map(async (object) => {
    try {
      return await patch(object, [reference])
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined
      throw error
    }
  })
  const releases = release.map(async (object) => {
    try {
      await patch(object, [{ $patch: 'delete', uid: reference.uid }])
    } catch (error) {
      // Gone, or another object of that name: either way there is nothing to release.
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Invalid')) throw error
    }
  })
  const [adopted, released] = await Promise.all([Promise.allSettled(adoptions), Promise.allSettled(releases)])
  for (const result of [...adopted, ...released]) if (result.status === 'rejected') throw result.reason
  return [...owned, ...adopted.flatMap((result) => (result.status === 'fulfilled' && result.value !== undefined ? [result.value] : []))]
}

async function recheck({ client, resource, owner }: Adopter): Promise<void> {
  const { namespace = '', name, uid } = owner.metadata
  const { metadata } = await client.get(resource, { namespace, name })
  if (metadata.uid !== uid)
    throw new Error(`original ${resource.kind} ${namespace}/${name} is gone: got uid ${metadata.uid}, wanted ${uid}`)
  if (metadata.deletionTimestamp !== undefined)
    throw new Error(`${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`)
}

// Adopts and releases objects by adding and removing controller references.
// Kubernetes: pkg/controller.PodControllerRefManager.AdoptPod, PodControllerRefManager.ReleasePod, RecheckDeletionTimestamp
import { apiVersionOf, type Resource } from '../../api/machinery/kind.ts'
import { controllerReference } from '../../api/machinery/owners.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import type { Informer } from '../../runtime/informer.ts'
import { type OwnershipPlan, planOwnership } from './plan/ownership.ts'

interface Adopter {
  readonly client: Client
  /** The owner's kind. */
  readonly resource: Resource
  readonly owner: Stored<KubernetesObject>
  /** Added to adopted objects, removed from released ones. */
  readonly finalizer?: string
  /** Set on adopted objects in the same write; null removes one. */
  readonly annotations?: Readonly<Record<string, string | null>>
}

/**
 * Resolves to the objects that the owner controls now. All adoptions and releases are tried; if any of them failed, the first
 * failure is thrown afterwards. An object that was deleted or replaced in the meantime is left out.
 */
export async function applyOwnership<T extends KubernetesObject>(
  adopter: Adopter,
  resource: Resource<T>,
  { owned, adopt, release }: OwnershipPlan<Stored<T>>,
): Promise<readonly Stored<T>[]> {
  if (adopt.length === 0 && release.length === 0) return owned
  if (adopt.length > 0) await recheckOwner(adopter)
  const { client, finalizer, annotations } = adopter
  const reference = controllerReference(apiVersionOf(adopter.resource), adopter.resource.kind, adopter.owner)
  const apply = async ({ metadata: { namespace, name, uid } }: Stored<T>, change: object): Promise<Stored<T> | undefined> => {
    try {
      // The server refuses the patch as invalid if another object has the name by now: a uid cannot change.
      return await client.patch(resource, { namespace, name }, 'strategic', { metadata: { uid, ...change } })
    } catch (error) {
      if (isStatusError(error, 'NotFound') || isStatusError(error, 'Invalid')) return undefined
      throw error
    }
  }
  const adoption = {
    ownerReferences: [reference],
    ...(finalizer !== undefined && { finalizers: [finalizer] }),
    ...(annotations !== undefined && { annotations }),
  }
  const removal = {
    ownerReferences: [{ $patch: 'delete', uid: reference.uid }],
    ...(finalizer !== undefined && { '$deleteFromPrimitiveList/finalizers': [finalizer] }),
  }
  const [adopted, released] = await Promise.all([
    Promise.allSettled(adopt.map((object) => apply(object, adoption))),
    Promise.allSettled(release.map((object) => apply(object, removal))),
  ])
  for (const result of [...adopted, ...released]) if (result.status === 'rejected') throw result.reason
  return [...owned, ...adopted.flatMap((result) => (result.status === 'fulfilled' && result.value !== undefined ? [result.value] : []))]
}

/** Claims the selected objects of a cache: adopts orphans, and releases what the owner controls and no longer selects. */
export function applyClaims<T extends KubernetesObject>(
  adopter: Adopter,
  resource: Resource<T>,
  objects: Informer<T>,
  isSelected: (object: Stored<T>) => boolean,
): Promise<readonly Stored<T>[]> {
  const { uid, namespace = '' } = adopter.owner.metadata
  const [controlled, orphans] = [objects.byIndex('owner', uid), objects.byIndex('orphan', namespace)]
  return applyOwnership(adopter, resource, planOwnership(adopter.owner, controlled, orphans, isSelected))
}

/** An owner that is being deleted must not adopt. Its cached state may be old, so it is read from the server. */
async function recheckOwner({ client, resource, owner }: Adopter): Promise<void> {
  const { namespace = '', name, uid } = owner.metadata
  const { metadata } = await client.get(resource, { namespace, name })
  if (metadata.uid !== uid)
    throw new Error(`original ${resource.kind} ${namespace}/${name} is gone: got uid ${metadata.uid}, wanted ${uid}`)
  if (metadata.deletionTimestamp !== undefined)
    throw new Error(`${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`)
}

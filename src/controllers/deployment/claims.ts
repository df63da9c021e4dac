// Adopts and releases sets, so that a Deployment controls exactly those that it selects.
import { deployments as deploymentKind, replicaSets as replicaSetKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Deployment, ReplicaSet, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { planClaim } from './plan/claim.ts'
import { ownerReference } from './plan/new-set.ts'

/** The sets that the Deployment controls; undefined when some changed hands: the cache has to observe that first. */
export async function applyClaims(
  client: Client,
  deployment: Stored<Deployment>,
  controlled: readonly Stored<ReplicaSet>[],
  orphans: readonly Stored<ReplicaSet>[],
): Promise<readonly Stored<ReplicaSet>[] | undefined> {
  const { owned, adopt, release } = planClaim(deployment, controlled, orphans)
  if (adopt.length === 0 && release.length === 0) return owned
  const patchOwner = (set: Stored<ReplicaSet>, ownerReferences: readonly unknown[]) =>
    client.patch(replicaSetKind, refOf(set), 'strategic', { metadata: { uid: set.metadata.uid, ownerReferences } })
  for (const set of release)
    try {
      await patchOwner(set, [{ $patch: 'delete', uid: deployment.metadata.uid }])
    } catch (error) {
      // It is gone, or no longer has the reference.
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Invalid')) throw error
    }
  if (adopt.length > 0 && (await readMayAdopt(client, deployment)))
    for (const set of adopt)
      try {
        await patchOwner(set, [ownerReference(deployment)])
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) throw error
      }
  return undefined
}

const refOf = ({ metadata }: Stored<ReplicaSet> | Stored<Deployment>) => ({
  name: metadata.name,
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
})

/** A Deployment that is being deleted must not adopt: the server knows, the cache may not. */
async function readMayAdopt(client: Client, deployment: Stored<Deployment>): Promise<boolean> {
  const { metadata } = await client.get(deploymentKind, refOf(deployment))
  if (metadata.uid !== deployment.metadata.uid)
    throw new Error(
      `original Deployment ${metadata.namespace}/${metadata.name} is gone: got uid ${metadata.uid}, wanted ${deployment.metadata.uid}`,
    )
  return metadata.deletionTimestamp === undefined
}

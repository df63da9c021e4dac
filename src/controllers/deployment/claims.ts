// Adopts and releases sets, so that a Deployment controls exactly those that it selects.
import { deployments as deploymentKind, replicaSets as replicaSetKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { Deployment, ReplicaSet, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { planClaim } from '../../planners/deployment/claim.ts'
import { ownerReference } from '../../planners/deployment/new-set.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import type { UnseenWrites } from './unseen-writes.ts'

export interface ClaimsOptions {
  readonly client: Client
  readonly replicaSets: Informer<ReplicaSet>
  readonly unseen: UnseenWrites
}

export interface Claims {
  /** The sets that are the Deployment's, or undefined when some changed hands: the copies have to show it first. */
  applyClaims(
    key: string,
    deployment: Stored<Deployment>,
    controlled: readonly Stored<ReplicaSet>[],
    orphans: readonly Stored<ReplicaSet>[],
  ): Promise<readonly Stored<ReplicaSet>[] | undefined>
}

export function createClaims({ client, replicaSets, unseen }: ClaimsOptions): Claims {
  const refOf = ({ metadata }: Stored<ReplicaSet> | Stored<Deployment>) => ({
    name: metadata.name,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  })

  /** The copy may be behind: what the Deployment claims, it must still be there to own. */
  const readMayAdopt = async (deployment: Stored<Deployment>): Promise<boolean> => {
    const { metadata } = await client.get(deploymentKind, refOf(deployment))
    if (metadata.uid !== deployment.metadata.uid)
      throw new Error(
        `original Deployment ${metadata.namespace}/${metadata.name} is gone: got uid ${metadata.uid}, wanted ${deployment.metadata.uid}`,
      )
    return metadata.deletionTimestamp === undefined
  }

  const applyOwnerPatch = async (key: string, set: Stored<ReplicaSet>, ownerReferences: readonly unknown[]) => {
    const { uid, resourceVersion } = set.metadata
    await client.patch(replicaSetKind, refOf(set), 'strategic', { metadata: { uid, ownerReferences } })
    const cached = () => replicaSets.get(keyOf(set))?.metadata
    unseen.add(key, () => cached()?.uid === uid && cached()?.resourceVersion === resourceVersion)
  }

  return {
    async applyClaims(key, deployment, controlled, orphans) {
      const { owned, adopt, release } = planClaim(deployment, controlled, orphans)
      if (adopt.length === 0 && release.length === 0) return owned
      for (const set of release)
        try {
          await applyOwnerPatch(key, set, [{ $patch: 'delete', uid: deployment.metadata.uid }])
        } catch (error) {
          // It is gone, or it no longer has the reference.
          if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Invalid')) throw error
        }
      if (adopt.length > 0 && (await readMayAdopt(deployment)))
        for (const set of adopt)
          try {
            await applyOwnerPatch(key, set, [ownerReference(deployment)])
          } catch (error) {
            if (!isStatusError(error, 'NotFound')) throw error
          }
      return undefined
    },
  }
}

// ClusterTrustBundles: who may name a signer.
// Kubernetes: plugin/pkg/admission/certificates/ctbattest.Plugin.Validate
import { clusterTrustBundles } from '../../../api/kinds.ts'
import { forbiddenError } from '../../../api/machinery/status-error.ts'
import type { ClusterTrustBundle, KubernetesObject } from '../../../api/types.ts'
import { hasEqualFields, isEqualJson } from '../../../base/json.ts'
import type { Authorizer } from '../../auth/authorizer.ts'
import { hasSignerPermission } from '../../auth/signer-permission.ts'
import type { Write } from '../../rest/write-steps.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'

export const clusterTrustBundleBehavior: BehaviorDefinition = {
  kinds: [clusterTrustBundles],
  define: ({ authorizer }) => ({ authorize: (write) => checkAttester(write, authorizer) }),
}

/** Throws a StatusError (403) where the caller may not attest for the signer. */
function checkAttester({ kind, current, next, options: { caller } }: Write, authorizer: Authorizer): void {
  const signerName = (next as unknown as ClusterTrustBundle).spec.signerName ?? ''
  if (signerName === '' || (current !== undefined && changesOwnersOnly(next, current))) return
  if (hasSignerPermission(authorizer, caller, 'attest', signerName)) return
  throw forbiddenError(kind, next.metadata?.name ?? '', `user not permitted to attest for signerName ${JSON.stringify(signerName)}`)
}

/** What the garbage collector and a migration of the storage write. The server has not set its own fields yet. */
function changesOwnersOnly(next: KubernetesObject, current: KubernetesObject): boolean {
  const { metadata: nextMeta = {}, ...nextRest } = next
  const { metadata: currentMeta = {}, ...currentRest } = current
  return isEqualJson(nextRest, currentRest) && hasEqualFields(nextMeta, currentMeta, ownersAndServerFields)
}

const ownersAndServerFields = new Set([
  ...['ownerReferences', 'finalizers', 'managedFields'],
  ...['uid', 'creationTimestamp', 'generation', 'resourceVersion', 'deletionTimestamp', 'deletionGracePeriodSeconds'],
])

// Access to devices for administration needs a label of the namespace.
// Kubernetes: pkg/registry/resource.AuthorizedForAdmin

import { resourceClaims, resourceClaimTemplates } from '../../api/kinds.ts'
import { forbidden } from '../../api/machinery/field-error.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { invalidError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, ResourceClaim, ResourceClaimTemplate } from '../../api/types.ts'
import { type AdmissionPlugin, admittedName, among } from './plugin.ts'

const label = 'resource.kubernetes.io/admin-access'

type ReadSpec = (object: KubernetesObject) => ResourceClaim['spec'] | undefined

const adminAccess = (kind: Kind, specOf: ReadSpec): AdmissionPlugin => ({
  concerns: among(kind),
  check({ namespace, current, next, cluster }): undefined {
    if (current !== undefined) return
    const index = (specOf(next)?.devices?.requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess === true)
    if (index < 0 || cluster.namespace(namespace)?.metadata?.labels?.[label] === 'true') return
    const why = `admin access to devices requires the \`${label}: true\` label on the containing namespace`
    throw invalidError(kind, admittedName(next), [forbidden(`spec.devices.requests[${index}].adminAccess`, why)])
  },
})

export const claimAdminAccess = adminAccess(resourceClaims, (object) => (object as typeof object & ResourceClaim).spec)
export const templateAdminAccess = adminAccess(
  resourceClaimTemplates,
  (object) => (object as typeof object & ResourceClaimTemplate).spec?.spec,
)

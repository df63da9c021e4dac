// Access to devices for administration needs a label of the namespace.
// Kubernetes: pkg/registry/resource.AuthorizedForAdmin

import { forbidden } from '../../api/machinery/field-error.ts'
import { invalidError } from '../../api/machinery/status-error.ts'
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/types.ts'
import { type AdmissionPlugin, admittedName } from './plugin.ts'

const label = 'resource.kubernetes.io/admin-access'

export const adminAccess: AdmissionPlugin = {
  check({ kind, namespace, current, next, cluster }): undefined {
    if (current !== undefined) return
    const { type } = kind
    if (type !== 'resource.ResourceClaim' && type !== 'resource.ResourceClaimTemplate') return
    const spec = type === 'resource.ResourceClaim' ? (next as ResourceClaim).spec : (next as ResourceClaimTemplate).spec?.spec
    const index = (spec?.devices?.requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess === true)
    if (index < 0 || cluster.namespace(namespace)?.metadata?.labels?.[label] === 'true') return
    const why = `admin access to devices requires the \`${label}: true\` label on the containing namespace`
    throw invalidError(kind, admittedName(next), [forbidden(`spec.devices.requests[${index}].adminAccess`, why)])
  },
}

import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ResourceClaim } from '../../../types.ts'
import { resourceClaimColumns } from './columns.ts'
import { defaultResourceClaim } from './defaults.ts'
import { resourceClaimTypes } from './schema.ts'
import { validateResourceClaim, validateResourceClaimUpdate } from './validation.ts'

export const resourceClaims: Kind<ResourceClaim> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  namespaced: true,
  type: 'resource.ResourceClaim',
  types: resourceClaimTypes,
  strategy: {
    names: 'dns-subdomain',
    default: defaultResourceClaim,
    ...ownStatus('resource.ResourceClaimStatus'),
    validate: validateResourceClaim,
    validateUpdate: validateResourceClaimUpdate,
  },
  subresources: { status: true },
  columns: resourceClaimColumns,
  returnsDeletedObject: true,
}

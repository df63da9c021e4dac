import type { Kind } from '../../../machinery/kind.ts'
import type { ResourceClaim } from '../../../types.ts'
import { resourceClaimColumns } from './columns.ts'
import { resourceClaimTypes } from './schema.ts'
import { resourceClaimStrategy } from './strategy.ts'

export const resourceClaims: Kind<ResourceClaim> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  singular: 'resourceclaim',
  namespaced: true,
  type: 'resource.ResourceClaim',
  types: resourceClaimTypes,
  strategy: resourceClaimStrategy,
  subresources: { status: true },
  columns: resourceClaimColumns,
  returnsDeletedObject: true,
}

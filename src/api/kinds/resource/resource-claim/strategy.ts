import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { ResourceClaim } from '../../../types.ts'
import { defaultResourceClaim } from './defaults.ts'
import { validateResourceClaim, validateResourceClaimUpdate } from './validation.ts'

export const resourceClaimStrategy: Strategy<ResourceClaim> = {
  names: 'dns-subdomain',
  default: defaultResourceClaim,
  ...ownStatus('resource.ResourceClaimStatus'),
  validate: validateResourceClaim,
  validateUpdate: validateResourceClaimUpdate,
}

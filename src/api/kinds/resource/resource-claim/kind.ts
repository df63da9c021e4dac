// Kubernetes: pkg/registry/resource/resourceclaim.resourceclaimStrategy.*, resourceclaimStatusStrategy.*
// Kubernetes: pkg/printers/internalversion.printResourceClaim, resourceClaimState
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ResourceClaim } from '../../../types.ts'
import { defaultResourceClaim } from './defaults.ts'
import { validateResourceClaimStatusUpdate } from './status-validation.ts'
import { validateResourceClaim, validateResourceClaimUpdate } from './validation.ts'

export const resourceClaims: Kind<ResourceClaim> = {
  ...resource('resource.ResourceClaim'),
  strategy: {
    default: defaultResourceClaim,
    ...ownStatus('resource.ResourceClaimStatus'),
    ...onlyStatus(),
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateResourceClaim,
    validateUpdate: validateResourceClaimUpdate,
    validateStatusUpdate: validateResourceClaimStatusUpdate,
  },
  columns: columnsOf([nameColumn, text('State', 'Whether it is pending, allocated, reserved or deleted.', stateCell), ageColumn]),
  returnsDeletedObject: true,
}

function stateCell({ metadata, status }: ResourceClaim): string {
  const states = [
    ...(metadata?.deletionTimestamp ? ['deleted'] : []),
    ...(status?.allocation === undefined ? (metadata?.deletionTimestamp ? [] : ['pending']) : ['allocated']),
    ...((status?.reservedFor ?? []).length > 0 ? ['reserved'] : []),
  ]
  return states.join(',')
}

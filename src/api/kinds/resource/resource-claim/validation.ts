import { isEqualJson } from '../../../../base/json.ts'
import { type FieldError, invalid } from '../../../machinery/field-error.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import type { ResourceClaim } from '../../../types.ts'
import { validateDeviceClaim } from './device-claim-validation.ts'

export const validateResourceClaim = ({ spec }: ResourceClaim): FieldError[] => validateDeviceClaim(spec?.devices ?? {}, 'spec.devices')

export const validateResourceClaimUpdate = (next: ResourceClaim, current: ResourceClaim): FieldError[] =>
  isEqualJson(next.spec, current.spec) ? [] : [invalid('spec', next.spec, immutableMessage)]

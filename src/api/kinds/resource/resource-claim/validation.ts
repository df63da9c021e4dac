// Kubernetes: pkg/apis/resource/validation.ValidateResourceClaim, ValidateResourceClaimUpdate
import { isEqualJson } from '../../../../base/json.ts'
import { changed, type FieldError } from '../../../machinery/field-error.ts'
import type { ResourceClaim } from '../../../types.ts'
import { validateDeviceClaim } from './device-claim-validation.ts'

export const validateResourceClaim = ({ spec }: ResourceClaim): FieldError[] => validateDeviceClaim(spec?.devices ?? {}, 'spec.devices')

/** As Kubernetes compares: no requests and an empty list of requests are equal. */
export const isEqualClaim = (one: ResourceClaim['spec'], other: ResourceClaim['spec']) =>
  (one?.devices?.requests ?? []).length === 0 && isEqualJson(withoutRequests(one), withoutRequests(other))

const withoutRequests = (spec: ResourceClaim['spec']) => {
  const { requests, ...devices } = spec?.devices ?? {}
  return { ...spec, devices: { ...devices, requests: requests ?? [] } }
}

export const validateResourceClaimUpdate = (next: ResourceClaim, current: ResourceClaim): FieldError[] =>
  isEqualJson(next.spec, current.spec) || isEqualClaim(next.spec, current.spec) ? [] : [changed('spec')]

// Kubernetes: pkg/apis/storage/validation.ValidateCSIDriver, ValidateCSIDriverUpdate
import { isEqualJson } from '../../../../base/json.ts'
import { duplicate, type FieldError, invalid } from '../../../machinery/field-error.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import type { CsiDriver } from '../../../types.ts'

const minSeconds = 600
const maxSeconds = 2 ** 32

export function validateCsiDriver({ spec }: CsiDriver): FieldError[] {
  const errors: FieldError[] = []
  addUnsupported(errors, spec?.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType'], 'spec.fsGroupPolicy')
  const audiences = new Set<string>()
  for (const [index, { audience = '', expirationSeconds: seconds }] of (spec?.tokenRequests ?? []).entries()) {
    const path = `spec.tokenRequests[${index}]`
    if (audiences.has(audience)) {
      errors.push(duplicate(`${path}.audience`, audience))
      continue
    }
    audiences.add(audience)
    if (seconds === undefined) continue
    if (seconds < minSeconds) errors.push(invalid(`${path}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'))
    if (seconds > maxSeconds)
      errors.push(invalid(`${path}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'))
  }
  for (const mode of spec?.volumeLifecycleModes ?? [])
    addUnsupported(errors, mode, ['Persistent', 'Ephemeral'], 'spec.volumeLifecycleModes')
  const period = spec?.nodeAllocatableUpdatePeriodSeconds
  if (period !== undefined && period < 10)
    errors.push(invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, 'must be greater than or equal to 10 seconds'))
  const inSecrets = spec?.serviceAccountTokenInSecrets
  if (inSecrets !== undefined && !spec?.tokenRequests?.length)
    errors.push(
      invalid('spec.serviceAccountTokenInSecrets', inSecrets, 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'),
    )
  return errors
}

export function validateCsiDriverUpdate(next: CsiDriver, current: CsiDriver): FieldError[] {
  const errors = validateCsiDriver(next)
  const { attachRequired, volumeLifecycleModes } = next.spec ?? {}
  // The path of this field is Kubernetes' own.
  if (attachRequired !== current.spec?.attachRequired) errors.push(invalid('spec.attachedRequired', attachRequired, immutableMessage))
  if (!isEqualJson(volumeLifecycleModes, current.spec?.volumeLifecycleModes))
    errors.push(invalid('spec.volumeLifecycleModes', volumeLifecycleModes, immutableMessage))
  return errors
}

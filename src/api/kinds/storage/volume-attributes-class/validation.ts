// Kubernetes: pkg/apis/storage/validation.ValidateVolumeAttributesClass, ValidateVolumeAttributesClassUpdate
import { isEqualJson } from '../../../../base/json.ts'
import { type FieldError, forbidden, invalid, required, tooLong } from '../../../machinery/field-error.ts'
import { byteLength, isQualifiedName } from '../../../machinery/validation/names.ts'
import type { VolumeAttributesClass } from '../../../types.ts'

const maxParameters = 512
const maxBytes = 262_144

export function validateVolumeAttributesClass({ driverName = '', parameters = {} }: VolumeAttributesClass): FieldError[] {
  const errors: FieldError[] = []
  if (driverName === '') errors.push(required('driverName', ''))
  else
    for (const message of isQualifiedName(driverName.toLowerCase())) errors.push(invalid('driverName', driverName.toLowerCase(), message))
  const entries = Object.entries(parameters)
  if (entries.length > maxParameters) return [...errors, tooLong('parameters', maxParameters)]
  if (entries.some(([key]) => key === '')) errors.push(invalid('parameters', '', 'field can not be empty.'))
  if (entries.reduce((bytes, [key, value]) => bytes + byteLength(key) + byteLength(value), 0) > maxBytes)
    errors.push(tooLong('parameters', maxBytes))
  if (entries.length === 0) errors.push(required('parameters', 'must contain at least one key/value pair'))
  return errors
}

export function validateVolumeAttributesClassUpdate(next: VolumeAttributesClass, current: VolumeAttributesClass): FieldError[] {
  const errors: FieldError[] = []
  if (next.driverName !== current.driverName) errors.push(forbidden('driverName', 'updates to driverName are forbidden.'))
  if (!isEqualJson(next.parameters ?? {}, current.parameters ?? {}))
    errors.push(forbidden('parameters', 'updates to parameters are forbidden.'))
  errors.push(...validateVolumeAttributesClass(next))
  return errors
}

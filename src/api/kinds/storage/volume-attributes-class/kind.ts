// Kubernetes: pkg/registry/storage/volumeattributesclass.volumeAttributesClassStrategy.*
// Kubernetes: pkg/printers/internalversion.printVolumeAttributesClass
import { isEqualJson } from '../../../../base/json.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, forbidden, invalid, required, tooLong } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { byteLength, isQualifiedName } from '../../../machinery/validation/names.ts'
import type { VolumeAttributesClass } from '../../../types.ts'

export const volumeAttributesClasses: Kind<VolumeAttributesClass> = {
  ...resource('storage.VolumeAttributesClass'),
  strategy: {
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateVolumeAttributesClass,
    validateUpdate: validateVolumeAttributesClassUpdate,
  },
  columns: columnsOf([nameColumn, text('DriverName', 'The driver that it is for.', ({ driverName }) => driverName ?? ''), ageColumn]),
  returnsDeletedObject: true,
  protectionFinalizer: 'kubernetes.io/vac-protection',
}

// Kubernetes: pkg/apis/storage/validation.ValidateVolumeAttributesClass, ValidateVolumeAttributesClassUpdate
const maxParameters = 512
const maxBytes = 262_144

function validateVolumeAttributesClass({ driverName = '', parameters = {} }: VolumeAttributesClass): FieldError[] {
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

function validateVolumeAttributesClassUpdate(next: VolumeAttributesClass, current: VolumeAttributesClass): FieldError[] {
  const errors: FieldError[] = []
  if (next.driverName !== current.driverName) errors.push(forbidden('driverName', 'updates to driverName are forbidden.'))
  if (!isEqualJson(next.parameters ?? {}, current.parameters ?? {}))
    errors.push(forbidden('parameters', 'updates to parameters are forbidden.'))
  errors.push(...validateVolumeAttributesClass(next))
  return errors
}

// Kubernetes: pkg/registry/core/configmap.strategy.*
// Kubernetes: pkg/printers/internalversion.printConfigMap
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, tooLong } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { addFrozenErrors, addKeyErrors, decodedLength, maxBytes } from '../../../machinery/validation/data-fields.ts'
import { byteLength } from '../../../machinery/validation/names.ts'
import type { ConfigMap } from '../../../types.ts'

export const configMaps: Kind<ConfigMap> = {
  ...resource('core.ConfigMap'),
  strategy: {
    validate: validateConfigMap,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateConfigMapUpdate,
  },
  columns: columnsOf([
    nameColumn,
    text(
      'Data',
      'How many entries it has.',
      ({ data, binaryData }) => Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
    ),
    ageColumn,
  ]),
}

// Kubernetes: pkg/apis/core/validation.ValidateConfigMap, ValidateConfigMapUpdate
export function validateConfigMap(configMap: ConfigMap): FieldError[] {
  const errors: FieldError[] = []
  const { data = {}, binaryData = {} } = configMap
  addKeyErrors(errors, data, 'data', binaryData)
  addKeyErrors(errors, binaryData, 'binaryData')
  let bytes = 0
  for (const value of Object.values(data)) bytes += byteLength(value)
  for (const value of Object.values(binaryData)) bytes += decodedLength(value)
  // Kubernetes names no field: the error is about the whole object.
  if (bytes > maxBytes) errors.push(tooLong('', maxBytes))
  return errors
}

export function validateConfigMapUpdate(next: ConfigMap, current: ConfigMap): FieldError[] {
  const errors: FieldError[] = []
  addFrozenErrors(errors, next, current, ['data', 'binaryData'])
  errors.push(...validateConfigMap(next))
  return errors
}

// Kubernetes: pkg/apis/resource/validation.ValidateDeviceClass, ValidateDeviceClassUpdate, validateDeviceClassSpec
import { type FieldError, invalid } from '../../../machinery/field-error.ts'
import { isQualifiedName } from '../../../machinery/validation/names.ts'
import type { DeviceClass } from '../../../types.ts'
import { validateDeviceConfiguration, validateDeviceSelectors } from '../resource-claim/device-claim-validation.ts'

export function validateDeviceClass({ spec }: DeviceClass): FieldError[] {
  const errors = validateDeviceSelectors(spec?.selectors ?? [], 'spec.selectors')
  for (const [index, { opaque }] of (spec?.config ?? []).entries())
    errors.push(...validateDeviceConfiguration(opaque, `spec.config[${index}]`))
  const name = spec?.extendedResourceName
  if (name !== undefined && !isExtendedResource(name))
    errors.push(invalid('spec.extendedResourceName', name, 'must be a valid extended resource name'))
  return errors
}

const isExtendedResource = (name: string) =>
  name.includes('/') &&
  !name.includes('kubernetes.io/') &&
  !name.startsWith('requests.') &&
  isQualifiedName(`requests.${name}`).length === 0

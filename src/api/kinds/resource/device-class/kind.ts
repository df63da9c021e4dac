// Kubernetes: pkg/registry/resource/deviceclass.deviceClassStrategy.*
// Kubernetes: pkg/printers/internalversion.printDeviceClass
import { nameAndAge } from '../../../machinery/columns/cells.ts'
import { type FieldError, invalid } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { isQualifiedName } from '../../../machinery/validation/names.ts'
import type { DeviceClass } from '../../../types.ts'
import { validateDeviceConfiguration, validateDeviceSelectors } from '../resource-claim/validation.ts'

export const deviceClasses: Kind<DeviceClass> = {
  ...resource('resource.DeviceClass'),
  strategy: {
    names: 'long-name',
    generation: true,
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateDeviceClass,
  },
  columns: nameAndAge,
  returnsDeletedObject: true,
}

// Kubernetes: pkg/apis/resource/validation.ValidateDeviceClass, ValidateDeviceClassUpdate, validateDeviceClassSpec
function validateDeviceClass({ spec }: DeviceClass): FieldError[] {
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

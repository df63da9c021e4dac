// Kubernetes: pkg/registry/resource/deviceclass.deviceClassStrategy.*
// Kubernetes: pkg/printers/internalversion.printDeviceClass
import { nameAndAge } from '../../../machinery/columns/cells.ts'
import { declared, type FieldError, invalid, tooMany } from '../../../machinery/field-error.ts'
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
// Kubernetes: k8s.io/apimachinery/pkg/api/validate.ExtendedResourceName
function validateDeviceClass({ spec }: DeviceClass): FieldError[] {
  const errors = validateDeviceSelectors(spec?.selectors ?? [], 'spec.selectors')
  const config = spec?.config ?? []
  if (config.length > maxConfigurations) errors.push(declared(tooMany('spec.config', config.length, maxConfigurations)))
  else for (const [index, { opaque }] of config.entries()) errors.push(...validateDeviceConfiguration(opaque, `spec.config[${index}]`))
  const name = spec?.extendedResourceName
  if (name === undefined) return errors
  return [...errors, ...extendedResourceMessages(name).map((message) => declared(invalid('spec.extendedResourceName', name, message)))]
}

const maxConfigurations = 32

const extendedResourceMessages = (name: string) => [
  ...(name.includes('/') ? [] : ["a name must be a domain-prefixed path, such as 'example.com/my-prop'"]),
  ...(name.includes('kubernetes.io/') ? ['must not have "kubernetes.io/" domain'] : []),
  ...(name.startsWith('requests.') ? ['must not have "requests." prefix'] : []),
  ...isQualifiedName(`requests.${name}`),
]

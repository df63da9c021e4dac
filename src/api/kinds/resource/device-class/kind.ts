import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { DeviceClass } from '../../../types.ts'
import { validateDeviceClass } from './validation.ts'

export const deviceClasses: Kind<DeviceClass> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  namespaced: false,
  type: 'resource.DeviceClass',
  types: {
    'resource.DeviceClass': {
      $typeMeta: 'object',
      spec: 'resource.DeviceClassSpec always required #2',
    },
    'resource.DeviceClassSpec': {
      selectors: '[]resource.DeviceSelector list=atomic #1',
      config: '[]resource.DeviceClassConfiguration list=atomic #2',
      extendedResourceName: '*string #4',
    },
    'resource.DeviceSelector': {
      cel: '*resource.CELDeviceSelector goName=CEL #1',
    },
    'resource.DeviceClassConfiguration': {
      opaque: '*resource.OpaqueDeviceConfiguration in=DeviceConfiguration #1.1',
    },
    'resource.CELDeviceSelector': {
      expression: 'string always required #1',
    },
    'resource.OpaqueDeviceConfiguration': {
      driver: 'string always required #1',
      parameters: 'any always required #2',
    },
  },
  strategy: {
    names: 'long-name',
    generation: true,
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateDeviceClass,
  },
  columns: nameAndAge,
  returnsDeletedObject: true,
}

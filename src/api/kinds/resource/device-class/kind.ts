import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { DeviceClass } from '../../../types.ts'
import { deviceClassTypes } from './schema.ts'
import { validateDeviceClass } from './validation.ts'

export const deviceClasses: Kind<DeviceClass> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  namespaced: false,
  type: 'resource.DeviceClass',
  types: deviceClassTypes,
  strategy: {
    names: 'dns-subdomain',
    generation: true,
    validate: validateDeviceClass,
  },
  columns: nameAndAge,
  returnsDeletedObject: true,
}

import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { DeviceClass } from '../../../types.ts'
import { deviceClassTypes } from './schema.ts'
import { deviceClassStrategy } from './strategy.ts'

export const deviceClasses: Kind<DeviceClass> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  singular: 'deviceclass',
  namespaced: false,
  type: 'resource.DeviceClass',
  types: deviceClassTypes,
  strategy: deviceClassStrategy,
  columns: nameAndAge,
  returnsDeletedObject: true,
}

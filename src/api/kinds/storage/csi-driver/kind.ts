import type { Kind } from '../../../machinery/kind.ts'
import type { CsiDriver } from '../../../types.ts'
import { csiDriverColumns } from './columns.ts'
import { csiDriverTypes } from './schema.ts'
import { csiDriverStrategy } from './strategy.ts'

export const csiDrivers: Kind<CsiDriver> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  singular: 'csidriver',
  namespaced: false,
  type: 'storage.CSIDriver',
  types: csiDriverTypes,
  strategy: csiDriverStrategy,
  columns: csiDriverColumns,
  returnsDeletedObject: true,
}

import type { Kind } from '../../../machinery/kind.ts'
import type { CsiStorageCapacity } from '../../../types.ts'
import { csiStorageCapacityTypes } from './schema.ts'
import { csiStorageCapacityStrategy } from './strategy.ts'

export const csiStorageCapacities: Kind<CsiStorageCapacity> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  singular: 'csistoragecapacity',
  namespaced: true,
  type: 'storage.CSIStorageCapacity',
  types: csiStorageCapacityTypes,
  strategy: csiStorageCapacityStrategy,
}

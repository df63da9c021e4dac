import type { Kind } from '../../../machinery/kind.ts'
import type { StorageClass } from '../../../types.ts'
import { storageClassColumns } from './columns.ts'
import { storageClassTypes } from './schema.ts'
import { storageClassStrategy } from './strategy.ts'

export const storageClasses: Kind<StorageClass> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  singular: 'storageclass',
  shortNames: ['sc'],
  namespaced: false,
  type: 'storage.StorageClass',
  types: storageClassTypes,
  strategy: storageClassStrategy,
  columns: storageClassColumns,
  returnsDeletedObject: true,
}

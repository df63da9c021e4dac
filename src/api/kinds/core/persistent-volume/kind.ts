import type { Kind } from '../../../machinery/kind.ts'
import type { PersistentVolume } from '../../../types.ts'
import { persistentVolumeColumns } from './columns.ts'
import { persistentVolumeTypes } from './schema.ts'
import { persistentVolumeStrategy } from './strategy.ts'

export const persistentVolumes: Kind<PersistentVolume> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  shortNames: ['pv'],
  namespaced: false,
  type: 'core.PersistentVolume',
  types: persistentVolumeTypes,
  strategy: persistentVolumeStrategy,
  subresources: { status: true },
  columns: persistentVolumeColumns,
  returnsDeletedObject: true,
  protectionFinalizer: 'kubernetes.io/pv-protection',
}

// Kubernetes: pkg/registry/core/persistentvolumeclaim/storage.NewREST
import type { Kind } from '../../../machinery/kind.ts'
import type { PersistentVolumeClaim } from '../../../types.ts'
import { persistentVolumeClaimColumns } from './columns.ts'
import { persistentVolumeClaimStrategy } from './strategy.ts'

export const persistentVolumeClaims: Kind<PersistentVolumeClaim> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  namespaced: true,
  type: 'core.PersistentVolumeClaim',
  strategy: persistentVolumeClaimStrategy,
  subresources: { status: true },
  columns: persistentVolumeClaimColumns,
  returnsDeletedObject: true,
  protectionFinalizer: 'kubernetes.io/pvc-protection',
}

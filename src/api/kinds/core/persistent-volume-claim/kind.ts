// Kubernetes: pkg/registry/core/persistentvolumeclaim/storage.NewREST
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PersistentVolumeClaim } from '../../../types.ts'
import { persistentVolumeClaimColumns } from './columns.ts'
import { persistentVolumeClaimStrategy } from './strategy.ts'

export const persistentVolumeClaims: Kind<PersistentVolumeClaim> = {
  ...resource('core.PersistentVolumeClaim'),
  strategy: persistentVolumeClaimStrategy,
  columns: persistentVolumeClaimColumns,
  returnsDeletedObject: true,
  protectionFinalizer: 'kubernetes.io/pvc-protection',
}

// Kubernetes: pkg/registry/storage/csistoragecapacity.csiStorageCapacityStrategy.*
import type { Kind } from '../../../machinery/kind.ts'
import type { CsiStorageCapacity } from '../../../types.ts'
import { validateCsiStorageCapacity, validateCsiStorageCapacityUpdate } from './validation.ts'

export const csiStorageCapacities: Kind<CsiStorageCapacity> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  namespaced: true,
  type: 'storage.CSIStorageCapacity',
  strategy: {
    unconditionalUpdate: false,
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateCsiStorageCapacity,
    validateUpdate: validateCsiStorageCapacityUpdate,
  },
}

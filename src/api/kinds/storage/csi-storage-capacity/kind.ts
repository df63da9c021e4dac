// Kubernetes: pkg/registry/storage/csistoragecapacity.csiStorageCapacityStrategy.*
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { CsiStorageCapacity } from '../../../types.ts'
import { validateCsiStorageCapacity, validateCsiStorageCapacityUpdate } from './validation.ts'

export const csiStorageCapacities: Kind<CsiStorageCapacity> = {
  ...resource('storage.CSIStorageCapacity'),
  strategy: {
    unconditionalUpdate: false,
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateCsiStorageCapacity,
    validateUpdate: validateCsiStorageCapacityUpdate,
  },
}

import type { Kind } from '../../../machinery/kind.ts'
import type { CsiStorageCapacity } from '../../../types.ts'
import { csiStorageCapacityTypes } from './schema.ts'
import { validateCsiStorageCapacity } from './validation.ts'

export const csiStorageCapacities: Kind<CsiStorageCapacity> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  plural: 'csistoragecapacities',
  namespaced: true,
  type: 'storage.CSIStorageCapacity',
  types: csiStorageCapacityTypes,
  strategy: {
    names: 'dns-subdomain',
    unconditionalUpdate: false,
    validate: validateCsiStorageCapacity,
  },
}

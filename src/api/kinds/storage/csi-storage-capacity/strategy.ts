import type { Strategy } from '../../../machinery/kind.ts'
import type { CsiStorageCapacity } from '../../../types.ts'
import { validateCsiStorageCapacity } from './validation.ts'

export const csiStorageCapacityStrategy: Strategy<CsiStorageCapacity> = {
  names: 'dns-subdomain',
  unconditionalUpdate: false,
  validate: validateCsiStorageCapacity,
  validateUpdate: (next) => validateCsiStorageCapacity(next),
}

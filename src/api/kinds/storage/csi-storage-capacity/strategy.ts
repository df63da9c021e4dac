import type { Strategy } from '../../../machinery/kind.ts'
import type { CsiStorageCapacity } from '../../../types.ts'

export const csiStorageCapacityStrategy: Strategy<CsiStorageCapacity> = {
  names: 'dns-subdomain',
  unconditionalUpdate: false,
}

import type { Strategy } from '../../../machinery/kind.ts'
import type { IpAddress } from '../../../types.ts'

export const ipAddressStrategy: Strategy<IpAddress> = {
  names: 'path-segment',
}

import type { Strategy } from '../../../machinery/kind.ts'
import type { IpAddress } from '../../../types.ts'
import { validateIpAddress, validateIpAddressUpdate } from './validation.ts'

export const ipAddressStrategy: Strategy<IpAddress> = {
  names: 'path-segment',
  validate: validateIpAddress,
  validateUpdate: validateIpAddressUpdate,
}

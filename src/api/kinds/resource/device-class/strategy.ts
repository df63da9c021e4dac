import type { Strategy } from '../../../machinery/kind.ts'
import type { DeviceClass } from '../../../types.ts'
import { validateDeviceClass } from './validation.ts'

export const deviceClassStrategy: Strategy<DeviceClass> = {
  names: 'dns-subdomain',
  generation: true,
  validate: validateDeviceClass,
  validateUpdate: (next) => validateDeviceClass(next),
}

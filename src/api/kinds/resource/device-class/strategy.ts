import type { Strategy } from '../../../machinery/kind.ts'
import type { DeviceClass } from '../../../types.ts'

export const deviceClassStrategy: Strategy<DeviceClass> = {
  names: 'dns-subdomain',
  generation: true,
}

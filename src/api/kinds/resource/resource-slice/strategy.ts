import type { Strategy } from '../../../machinery/kind.ts'
import type { ResourceSlice } from '../../../types.ts'
import { defaultResourceSlice } from './defaults.ts'

export const resourceSliceStrategy: Strategy<ResourceSlice> = {
  names: 'dns-subdomain',
  generation: true,
  default: defaultResourceSlice,
}

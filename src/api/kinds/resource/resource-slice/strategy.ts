import type { Strategy } from '../../../machinery/kind.ts'
import type { ResourceSlice } from '../../../types.ts'
import { defaultResourceSlice } from './defaults.ts'
import { validateResourceSlice } from './validation.ts'

export const resourceSliceStrategy: Strategy<ResourceSlice> = {
  names: 'dns-subdomain',
  generation: true,
  default: defaultResourceSlice,
  validate: validateResourceSlice,
  validateUpdate: (next) => validateResourceSlice(next),
}

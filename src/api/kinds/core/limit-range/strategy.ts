import type { Strategy } from '../../../machinery/kind.ts'
import type { LimitRange } from '../../../types.ts'
import { defaultLimitRange } from './defaults.ts'
import { validateLimitRange, validateLimitRangeUpdate } from './validation.ts'

export const limitRangeStrategy: Strategy<LimitRange> = {
  names: 'dns-subdomain',
  createOnUpdate: true,
  default: defaultLimitRange,
  // The only kind that needs no name: the server generates one.
  prepareForCreate({ metadata }) {
    if (metadata && !metadata.name && metadata.uid) metadata.name = metadata.uid
  },
  validate: validateLimitRange,
  validateUpdate: validateLimitRangeUpdate,
}

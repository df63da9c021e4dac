import type { Kind } from '../../../machinery/kind.ts'
import type { LimitRange } from '../../../types.ts'
import { defaultLimitRange } from './defaults.ts'
import { limitRangeTypes } from './schema.ts'
import { validateLimitRange } from './validation.ts'

export const limitRanges: Kind<LimitRange> = {
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  namespaced: true,
  type: 'core.LimitRange',
  types: limitRangeTypes,
  strategy: {
    names: 'dns-subdomain',
    createOnUpdate: true,
    default: defaultLimitRange,
    // The only kind that needs no name: the server generates one.
    prepareForCreate({ metadata }) {
      if (metadata && !metadata.name && metadata.uid) metadata.name = metadata.uid
    },
    validate: validateLimitRange,
  },
}

import type { Kind } from '../../../machinery/kind.ts'
import type { LimitRange } from '../../../types.ts'
import { defaultLimitRange } from './defaults.ts'
import { validateLimitRange } from './validation.ts'

export const limitRanges: Kind<LimitRange> = {
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  namespaced: true,
  type: 'core.LimitRange',
  types: {
    'core.LimitRange': {
      $typeMeta: 'object',
      spec: 'core.LimitRangeSpec #2',
    },
    'core.LimitRangeSpec': {
      limits: '[]core.LimitRangeItem always list=atomic required #1',
    },
    'core.LimitRangeItem': {
      type: 'string always required goType=v1.LimitType #1',
      max: 'map Quantity goType=v1.ResourceList #2',
      min: 'map Quantity goType=v1.ResourceList #3',
      default: 'map Quantity goType=v1.ResourceList #4',
      defaultRequest: 'map Quantity goType=v1.ResourceList #5',
      maxLimitRequestRatio: 'map Quantity goType=v1.ResourceList #6',
    },
  },
  strategy: {
    createOnUpdate: true,
    default: defaultLimitRange,
    // The only kind that needs no name: the server generates one.
    prepareForCreate({ metadata }) {
      if (metadata && !metadata.name && metadata.uid) metadata.name = metadata.uid
    },
    validate: validateLimitRange,
  },
}

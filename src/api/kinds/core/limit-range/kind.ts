import type { Kind } from '../../../machinery/kind.ts'
import type { LimitRange } from '../../../types.ts'
import { limitRangeTypes } from './schema.ts'
import { limitRangeStrategy } from './strategy.ts'

export const limitRanges: Kind<LimitRange> = {
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  singular: 'limitrange',
  shortNames: ['limits'],
  namespaced: true,
  type: 'core.LimitRange',
  types: limitRangeTypes,
  strategy: limitRangeStrategy,
}

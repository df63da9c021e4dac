import type { Kind } from '../../../machinery/kind.ts'
import type * as t from '../../../types.ts'
import { limitRangeTypes } from './schema.ts'
import { limitRangeStrategy } from './strategy.ts'

export const limitRanges: Kind<t.LimitRange> = {
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

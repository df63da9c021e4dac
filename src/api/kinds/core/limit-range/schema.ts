import type { Types } from '../../../machinery/schema/schema.ts'

export const limitRangeTypes: Types = {
  'core.LimitRange': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
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
}

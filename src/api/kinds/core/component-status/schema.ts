import type { Types } from '../../../machinery/schema/schema.ts'

export const componentStatusTypes: Types = {
  'core.ComponentStatus': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    conditions: '[]core.ComponentCondition patch=merge mergeKey=type list=map keys=type #2',
  },
  'core.ComponentCondition': {
    type: 'string always required goType=v1.ComponentConditionType #1',
    status: 'string always required goType=v1.ConditionStatus #2',
    message: 'string #3',
    error: 'string #4',
  },
}

import type { Types } from '../../../machinery/schema/schema.ts'

export const priorityClassTypes: Types = {
  'scheduling.PriorityClass': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    value: 'int32 always #2',
    globalDefault: 'bool #3',
    description: 'string #4',
    preemptionPolicy: '*string goType=v1.PreemptionPolicy #5',
  },
}

import type { Types } from '../../../machinery/schema/schema.ts'

export const scaleTypes: Types = {
  'autoscaling.Scale': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'autoscaling.ScaleSpec #2',
    status: 'autoscaling.ScaleStatus #3',
  },
  'autoscaling.ScaleSpec': {
    replicas: 'int32 default=0 #1',
  },
  'autoscaling.ScaleStatus': {
    replicas: 'int32 always required #1',
    selector: 'string #2',
  },
}

import type { Types } from '../../../machinery/schema/schema.ts'

export const nodeMetricsTypes: Types = {
  'metrics.NodeMetrics': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    timestamp: 'Time always required #2',
    window: 'string always required goType=v1.Duration #3',
    usage: 'map Quantity always required goType=v1.ResourceList #4',
  },
}

import type { Types } from '../../../machinery/schema/schema.ts'

export const podMetricsTypes: Types = {
  'metrics.PodMetrics': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    timestamp: 'Time always required #2',
    window: 'string always required goType=v1.Duration #3',
    containers: '[]metrics.ContainerMetrics always list=atomic required #4',
  },
  'metrics.ContainerMetrics': {
    name: 'string always required #1',
    usage: 'map Quantity always required goType=v1.ResourceList #2',
  },
}

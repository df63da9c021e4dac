import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'

/** What the pods use, as metrics-server would measure it. Never stored: the server computes it from the pods. */
export const podMetrics: Kind = {
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  kind: 'PodMetrics',
  plural: 'pods',
  singular: '',
  namespaced: true,
  type: 'metrics.PodMetrics',
  types: {
    'metrics.PodMetrics': {
      $typeMeta: 'object',
      timestamp: 'Time always required #2',
      window: 'string always required goType=v1.Duration #3',
      containers: '[]metrics.ContainerMetrics always list=atomic required #4',
    },
    'metrics.ContainerMetrics': {
      name: 'string always required #1',
      usage: 'map Quantity always required goType=v1.ResourceList #2',
    },
  },
  verbs: ['get', 'list'],
  strategy: { names: 'any' },
  columns: nameAndAge,
}

// Ours: the API of metrics-server, another program, from the usage that is simulated.
import { nameAndAge } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'

/** What the pods of each node use together. Never stored: the server computes it from the pods. */
export const nodeMetrics: Kind = {
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  kind: 'NodeMetrics',
  plural: 'nodes',
  singular: '',
  namespaced: false,
  type: 'metrics/v1beta1.NodeMetrics',
  verbs: ['get', 'list'],
  strategy: { names: 'any' },
  columns: nameAndAge,
}

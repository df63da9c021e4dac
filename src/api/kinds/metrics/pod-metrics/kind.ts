// Ours: the API of metrics-server, another program, from the usage that is simulated.
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
  type: 'metrics/v1beta1.PodMetrics',
  verbs: ['get', 'list'],
  strategy: { names: 'any' },
  columns: nameAndAge,
}

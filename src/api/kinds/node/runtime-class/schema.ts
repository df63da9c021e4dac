import type { Types } from '../../../machinery/schema/schema.ts'

export const runtimeClassTypes: Types = {
  'node.RuntimeClass': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    handler: 'string always required #2',
    overhead: '*node.Overhead #3',
    scheduling: '*node.Scheduling #4',
  },
  'node.Overhead': {
    podFixed: 'map Quantity goType=v1.ResourceList #1',
  },
  'node.Scheduling': {
    nodeSelector: 'map string map=atomic #1',
    tolerations: '[]core.Toleration list=atomic #2',
  },
}

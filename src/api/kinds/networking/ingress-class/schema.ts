import type { Types } from '../../../machinery/schema/schema.ts'

export const ingressClassTypes: Types = {
  'networking.IngressClass': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'networking.IngressClassSpec #2',
  },
  'networking.IngressClassSpec': {
    controller: 'string #1',
    parameters: '*networking.IngressClassParametersReference #2',
  },
  'networking.IngressClassParametersReference': {
    apiGroup: '*string goName=APIGroup #1',
    kind: 'string always required #2',
    name: 'string always required #3',
    scope: '*string always #4',
    namespace: '*string #5',
  },
}

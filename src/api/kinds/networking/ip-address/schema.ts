import type { Types } from '../../../machinery/schema/schema.ts'

export const ipAddressTypes: Types = {
  'networking.IPAddress': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'networking.IPAddressSpec required #2',
  },
  'networking.IPAddressSpec': {
    parentRef: '*networking.ParentReference required #1',
  },
  'networking.ParentReference': {
    group: 'string #1',
    resource: 'string required #2',
    namespace: 'string #3',
    name: 'string required #4',
  },
}

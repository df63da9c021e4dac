import type { Types } from '../../../machinery/schema/schema.ts'

export const resourceClaimTemplateTypes: Types = {
  'resource.ResourceClaimTemplate': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'resource.ResourceClaimTemplateSpec always required #2',
  },
  'resource.ResourceClaimTemplateSpec': {
    metadata: 'meta.ObjectMeta #1',
    spec: 'resource.ResourceClaimSpec always required #2',
  },
}

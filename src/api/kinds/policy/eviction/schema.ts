import type { Types } from '../../../machinery/schema/schema.ts'

export const evictionTypes: Types = {
  'policy.Eviction': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    deleteOptions: '*meta.DeleteOptions #2',
  },
}

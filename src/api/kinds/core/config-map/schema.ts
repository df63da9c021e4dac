import type { Types } from '../../../machinery/schema/schema.ts'

export const configMapTypes: Types = {
  'core.ConfigMap': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    immutable: '*bool #4',
    data: 'map string #2',
    binaryData: 'map bytes #3',
  },
}

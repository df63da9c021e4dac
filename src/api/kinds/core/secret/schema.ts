import type { Types } from '../../../machinery/schema/schema.ts'

export const secretTypes: Types = {
  'core.Secret': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    immutable: '*bool #5',
    data: 'map bytes #2',
    stringData: 'map string #4',
    type: 'string goType=v1.SecretType #3',
  },
}

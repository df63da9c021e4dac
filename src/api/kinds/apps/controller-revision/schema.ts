import type { Types } from '../../../machinery/schema/schema.ts'

export const controllerRevisionTypes: Types = {
  'apps.ControllerRevision': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    data: 'any #2',
    revision: 'int64 always required #3',
  },
}

import type { Types } from '../../../machinery/schema/schema.ts'

export const bindingTypes: Types = {
  'core.Binding': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    target: 'core.ObjectReference always required #2',
  },
}

import type { Types } from '../../../machinery/schema/schema.ts'

export const podTemplateTypes: Types = {
  'core.PodTemplate': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    template: 'core.PodTemplateSpec #2',
  },
}

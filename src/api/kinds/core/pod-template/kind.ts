import type { Kind } from '../../../machinery/kind.ts'
import type { PodTemplate } from '../../../types.ts'
import { podTemplateColumns } from './columns.ts'
import { podTemplateTypes } from './schema.ts'
import { podTemplateStrategy } from './strategy.ts'

export const podTemplates: Kind<PodTemplate> = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
  type: 'core.PodTemplate',
  types: podTemplateTypes,
  strategy: podTemplateStrategy,
  columns: podTemplateColumns,
  returnsDeletedObject: true,
}

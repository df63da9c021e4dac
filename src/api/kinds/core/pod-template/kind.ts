import type { Kind } from '../../../machinery/kind.ts'
import type * as t from '../../../types.ts'
import { podTemplateColumns } from './columns.ts'
import { podTemplateTypes } from './schema.ts'
import { podTemplateStrategy } from './strategy.ts'

export const podTemplates: Kind<t.PodTemplate> = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  singular: 'podtemplate',
  namespaced: true,
  type: 'core.PodTemplate',
  types: podTemplateTypes,
  strategy: podTemplateStrategy,
  columns: podTemplateColumns,
  returnsDeletedObject: true,
}

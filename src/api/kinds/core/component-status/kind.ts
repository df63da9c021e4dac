import type { Kind } from '../../../machinery/kind.ts'
import type { ComponentStatus } from '../../../types.ts'
import { componentStatusColumns } from './columns.ts'
import { componentStatusTypes } from './schema.ts'

export const componentStatuses: Kind<ComponentStatus> = {
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  plural: 'componentstatuses',
  shortNames: ['cs'],
  deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  namespaced: false,
  type: 'core.ComponentStatus',
  types: componentStatusTypes,
  verbs: ['get', 'list'],
  strategy: {
    names: 'any',
  },
  columns: componentStatusColumns,
}

import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { Pod } from '../../../types.ts'
import { podColumns } from './columns.ts'
import { containerTypes } from './container-schema.ts'
import { podTypes } from './schema.ts'
import { podFields } from './selectable-fields.ts'
import { podStrategy } from './strategy.ts'
import { podSubresources } from './subresources.ts'
import { volumeTypes } from './volume-schema.ts'

export const pods: Kind<Pod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  type: 'core.Pod',
  types: { ...podTypes, ...containerTypes, ...volumeTypes },
  strategy: podStrategy,
  subresources: { status: true, others: podSubresources },
  selectableFields: podFields,
  columns: podColumns,
  unknownFieldMessage: unsupportedField,
  returnsDeletedObject: true,
}

import type { Kind } from '../../../machinery/kind.ts'
import type { PriorityClass } from '../../../types.ts'
import { priorityClassColumns } from './columns.ts'
import { priorityClassTypes } from './schema.ts'
import { priorityClassStrategy } from './strategy.ts'

export const priorityClasses: Kind<PriorityClass> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  shortNames: ['pc'],
  namespaced: false,
  type: 'scheduling.PriorityClass',
  types: priorityClassTypes,
  strategy: priorityClassStrategy,
  columns: priorityClassColumns,
}

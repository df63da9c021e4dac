import type { Kind } from '../../../machinery/kind.ts'
import type { PodDisruptionBudget } from '../../../types.ts'
import { podDisruptionBudgetColumns } from './columns.ts'
import { podDisruptionBudgetTypes } from './schema.ts'
import { podDisruptionBudgetStrategy } from './strategy.ts'

export const podDisruptionBudgets: Kind<PodDisruptionBudget> = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  singular: 'poddisruptionbudget',
  shortNames: ['pdb'],
  namespaced: true,
  type: 'policy.PodDisruptionBudget',
  types: podDisruptionBudgetTypes,
  strategy: podDisruptionBudgetStrategy,
  subresources: { status: true },
  columns: podDisruptionBudgetColumns,
}

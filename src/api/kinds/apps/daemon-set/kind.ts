import type { Kind } from '../../../machinery/kind.ts'
import type { DaemonSet } from '../../../types.ts'
import { daemonSetColumns } from './columns.ts'
import { daemonSetTypes } from './schema.ts'
import { daemonSetStrategy, templateGeneration } from './strategy.ts'

export const daemonSets: Kind<DaemonSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  type: 'apps.DaemonSet',
  types: daemonSetTypes,
  strategy: daemonSetStrategy,
  subresources: { status: true },
  columns: daemonSetColumns,
  wholeObjectAnnotations: [templateGeneration],
}

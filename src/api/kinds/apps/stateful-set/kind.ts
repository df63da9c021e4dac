import type { Kind } from '../../../machinery/kind.ts'
import type { StatefulSet } from '../../../types.ts'
import { selectorScale } from '../../autoscaling/scale/access.ts'
import { statefulSetColumns } from './columns.ts'
import { statefulSetTypes } from './schema.ts'
import { statefulSetStrategy } from './strategy.ts'

export const statefulSets: Kind<StatefulSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  type: 'apps.StatefulSet',
  types: statefulSetTypes,
  strategy: statefulSetStrategy,
  subresources: { status: true, scale: selectorScale() },
  columns: statefulSetColumns,
}

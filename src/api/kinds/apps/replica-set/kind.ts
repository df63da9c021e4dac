// Kubernetes: pkg/registry/apps/replicaset/storage.NewREST
import { selectorCell } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ReplicaSet } from '../../../types.ts'
import { selectorScale } from '../../autoscaling/scale/access.ts'
import { replicaColumns } from './columns.ts'
import { replicaSetStrategy } from './strategy.ts'

export const replicaSets: Kind<ReplicaSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  type: 'apps.ReplicaSet',
  strategy: replicaSetStrategy,
  subresources: { status: true, scale: selectorScale() },
  columns: replicaColumns(({ spec }) => selectorCell(spec?.selector)),
}

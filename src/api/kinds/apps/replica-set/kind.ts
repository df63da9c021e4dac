// Kubernetes: pkg/registry/apps/replicaset/storage.NewREST
import { selectorCell } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ReplicaSet } from '../../../types.ts'
import { selectorScale } from '../../autoscaling/scale/access.ts'
import { replicaColumns } from './columns.ts'
import { replicaSetStrategy } from './strategy.ts'

export const replicaSets: Kind<ReplicaSet> = {
  ...resource('apps.ReplicaSet'),
  strategy: replicaSetStrategy,
  scale: selectorScale(),
  columns: replicaColumns(({ spec }) => selectorCell(spec?.selector)),
}

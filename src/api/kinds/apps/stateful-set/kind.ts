// Kubernetes: pkg/printers/internalversion.printStatefulSet
import { ageColumn, columnsOf, containerColumns, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { StatefulSet } from '../../../types.ts'
import { selectorScale } from '../../autoscaling/scale/access.ts'
import { statefulSetStrategy } from './strategy.ts'

export const statefulSets: Kind<StatefulSet> = {
  ...resource('apps.StatefulSet'),
  strategy: statefulSetStrategy,
  scale: selectorScale(),
  columns: columnsOf([
    nameColumn,
    text('Ready', 'How many of the wanted pods are ready.', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
    ageColumn,
    ...containerColumns<StatefulSet>(({ spec }) => spec?.template?.spec?.containers),
  ]),
}

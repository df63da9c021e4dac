// Kubernetes: pkg/printers/internalversion.printDaemonSet
import {
  ageColumn,
  columnsOf,
  containerColumns,
  integer,
  labelsCell,
  nameColumn,
  selectorCell,
  selectorColumn,
  text,
} from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { DaemonSet } from '../../../types.ts'
import { daemonSetStrategy, templateGeneration } from './strategy.ts'

export const daemonSets: Kind<DaemonSet> = {
  ...resource('apps.DaemonSet'),
  strategy: daemonSetStrategy,
  columns: columnsOf([
    nameColumn,
    integer('Desired', 'How many nodes should run its pod.', ({ status }) => status?.desiredNumberScheduled ?? 0),
    integer('Current', 'How many of these nodes do.', ({ status }) => status?.currentNumberScheduled ?? 0),
    integer('Ready', 'On how many nodes the pod is ready.', ({ status }) => status?.numberReady ?? 0),
    integer('Up-to-date', 'On how many nodes the pod has the newest template.', ({ status }) => status?.updatedNumberScheduled ?? 0),
    integer('Available', 'On how many nodes the pod has been ready for long enough.', ({ status }) => status?.numberAvailable ?? 0),
    text('Node Selector', 'Which nodes it is for.', ({ spec }) => labelsCell(spec?.template?.spec?.nodeSelector)),
    ageColumn,
    ...containerColumns<DaemonSet>(({ spec }) => spec?.template?.spec?.containers),
    selectorColumn(({ spec }) => selectorCell(spec?.selector)),
  ]),
  wholeObjectAnnotations: [templateGeneration],
}

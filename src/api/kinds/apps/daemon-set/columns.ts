import {
  ageColumn,
  ageOf,
  containerCells,
  integer,
  labelsCell,
  nameColumn,
  nameOf,
  selectorCell,
  text,
  wideColumns,
} from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { DaemonSet } from '../../../types.ts'

export const daemonSetColumns: Columns<DaemonSet> = {
  definitions: [
    nameColumn,
    integer('Desired', 'How many nodes should run its pod.'),
    integer('Current', 'How many of these nodes do.'),
    integer('Ready', 'On how many nodes the pod is ready.'),
    integer('Up-to-date', 'On how many nodes the pod has the newest template.'),
    integer('Available', 'On how many nodes the pod has been ready for long enough.'),
    text('Node Selector', 'Which nodes it is for.'),
    ageColumn,
    ...wideColumns,
  ],
  cells: (set, nowMs) => [
    nameOf(set),
    set.status?.desiredNumberScheduled ?? 0,
    set.status?.currentNumberScheduled ?? 0,
    set.status?.numberReady ?? 0,
    set.status?.updatedNumberScheduled ?? 0,
    set.status?.numberAvailable ?? 0,
    labelsCell(set.spec?.template?.spec?.nodeSelector),
    ageOf(set, nowMs),
    ...containerCells(set.spec?.template?.spec?.containers),
    selectorCell(set.spec?.selector),
  ],
}

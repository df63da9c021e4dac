import {
  ageColumn,
  ageOf,
  containerCells,
  integer,
  nameColumn,
  nameOf,
  selectorCell,
  wideColumns,
} from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ReplicaSet } from '../../../types.ts'

export const replicaDefinitions = [
  nameColumn,
  integer('Desired', 'How many pods are wanted.'),
  integer('Current', 'How many pods there are.'),
  integer('Ready', 'How many pods are ready.'),
  ageColumn,
  ...wideColumns,
]

export const replicaSetColumns: Columns<ReplicaSet> = {
  definitions: replicaDefinitions,
  cells: (set, nowMs) => [
    nameOf(set),
    set.spec?.replicas ?? 0,
    set.status?.replicas ?? 0,
    set.status?.readyReplicas ?? 0,
    ageOf(set, nowMs),
    ...containerCells(set.spec?.template?.spec?.containers),
    selectorCell(set.spec?.selector),
  ],
}

import {
  ageColumn,
  ageOf,
  containerCells,
  containersColumn,
  imagesColumn,
  nameColumn,
  nameOf,
  text,
} from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { StatefulSet } from '../../../types.ts'

export const statefulSetColumns: Columns<StatefulSet> = {
  definitions: [nameColumn, text('Ready', 'How many of the wanted pods are ready.'), ageColumn, containersColumn, imagesColumn],
  cells: (set, nowMs) => [
    nameOf(set),
    `${set.status?.readyReplicas ?? 0}/${set.spec?.replicas ?? 0}`,
    ageOf(set, nowMs),
    ...containerCells(set.spec?.template?.spec?.containers),
  ],
}

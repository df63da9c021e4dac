import { ageColumn, columnsOf, containerColumns, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { StatefulSet } from '../../../types.ts'

export const statefulSetColumns = columnsOf<StatefulSet>([
  nameColumn,
  text('Ready', 'How many of the wanted pods are ready.', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
  ageColumn,
  ...containerColumns<StatefulSet>(({ spec }) => spec?.template?.spec?.containers),
])

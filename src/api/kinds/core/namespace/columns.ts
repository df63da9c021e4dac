import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Namespace } from '../../../types.ts'

export const namespaceColumns = columnsOf<Namespace>([
  nameColumn,
  text('Status', 'The status of the namespace: Active or Terminating.', ({ status }) => status?.phase ?? ''),
  ageColumn,
])

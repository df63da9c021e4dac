import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { Namespace } from '../../../types.ts'

export const namespaceColumns: Columns<Namespace> = {
  definitions: [nameColumn, text('Status', 'The status of the namespace: Active or Terminating.'), ageColumn],
  cells: (namespace, nowMs) => [nameOf(namespace), namespace.status?.phase ?? '', ageOf(namespace, nowMs)],
}

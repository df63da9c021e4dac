import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { Namespace } from '../../../types.ts'

export const namespaceColumns: Columns<Namespace> = {
  definitions: [nameColumn, text('Status', 'Whether the namespace is in use or on its way out.'), ageColumn],
  cells: (namespace, nowMs) => [nameOf(namespace), namespace.status?.phase ?? '', ageOf(namespace, nowMs)],
}

import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { Lease } from '../../../types.ts'

export const leaseColumns: Columns<Lease> = {
  definitions: [nameColumn, text('Holder', 'Who holds it.'), ageColumn],
  cells: (lease, nowMs) => [nameOf(lease), lease.spec?.holderIdentity ?? '', ageOf(lease, nowMs)],
}

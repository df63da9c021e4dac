import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Lease } from '../../../types.ts'

export const leaseColumns = columnsOf<Lease>([
  nameColumn,
  text('Holder', 'Who holds it.', ({ spec }) => spec?.holderIdentity ?? ''),
  ageColumn,
])

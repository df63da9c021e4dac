import { ageColumn, ageOf, nameColumn, nameOf } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ServiceAccount } from '../../../types.ts'

export const serviceAccountColumns: Columns<ServiceAccount> = {
  definitions: [nameColumn, ageColumn],
  cells: (account, nowMs) => [nameOf(account), ageOf(account, nowMs)],
}

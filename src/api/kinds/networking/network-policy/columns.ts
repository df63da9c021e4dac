import { ageColumn, ageOf, nameColumn, nameOf, selectorCell, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { NetworkPolicy } from '../../../types.ts'

export const networkPolicyColumns: Columns<NetworkPolicy> = {
  definitions: [nameColumn, text('Pod-Selector', 'Which pods it applies to.'), ageColumn],
  cells: (object, nowMs) => [nameOf(object), selectorCell(object.spec?.podSelector), ageOf(object, nowMs)],
}

import { ageColumn, columnsOf, nameColumn, selectorCell, text } from '../../../machinery/columns/cells.ts'
import type { NetworkPolicy } from '../../../types.ts'

export const networkPolicyColumns = columnsOf<NetworkPolicy>([
  nameColumn,
  text('Pod-Selector', 'Which pods it applies to.', ({ spec }) => selectorCell(spec?.podSelector)),
  ageColumn,
])

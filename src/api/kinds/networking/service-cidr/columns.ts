import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { ServiceCidr } from '../../../types.ts'

export const serviceCidrColumns = columnsOf<ServiceCidr>([
  nameColumn,
  text('CIDRs', 'The ranges that Services get their addresses from.', ({ spec }) => (spec?.cidrs ?? []).join(',')),
  ageColumn,
])

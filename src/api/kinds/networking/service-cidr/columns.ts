import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ServiceCidr } from '../../../types.ts'

export const serviceCidrColumns: Columns<ServiceCidr> = {
  definitions: [nameColumn, text('CIDRs', 'The ranges that Services get their addresses from.'), ageColumn],
  cells: (object, nowMs) => [nameOf(object), (object.spec?.cidrs ?? []).join(','), ageOf(object, nowMs)],
}

import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ResourceQuota } from '../../../types.ts'

export const resourceQuotaColumns: Columns<ResourceQuota> = {
  definitions: [
    nameColumn,
    text('Request', 'What may be requested, and is.'),
    text('Limit', 'What the limits may add up to, and do.'),
    ageColumn,
  ],
  cells(quota, nowMs) {
    const { hard = {}, used = {} } = quota.status ?? {}
    const lines = (limits: boolean) =>
      Object.keys(hard)
        .sort()
        .filter((name) => name.startsWith('limits.') === limits)
        .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
        .join(', ')
    return [nameOf(quota), lines(false), lines(true), ageOf(quota, nowMs)]
  },
}

import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { ResourceQuota } from '../../../types.ts'

export const resourceQuotaColumns = columnsOf<ResourceQuota>([
  nameColumn,
  text('Request', 'What may be requested, and is.', (quota) => usageCell(quota, false)),
  text('Limit', 'What the limits may add up to, and do.', (quota) => usageCell(quota, true)),
  ageColumn,
])

function usageCell({ status }: ResourceQuota, ofLimits: boolean): string {
  const { hard = {}, used = {} } = status ?? {}
  return Object.keys(hard)
    .sort()
    .filter((name) => name.startsWith('limits.') === ofLimits)
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
    .join(', ')
}

// Kubernetes: pkg/printers/internalversion.printResourceQuota
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ResourceQuota } from '../../../types.ts'
import { resourceQuotaStrategy } from './strategy.ts'

export const resourceQuotas: Kind<ResourceQuota> = {
  ...resource('core.ResourceQuota'),
  strategy: resourceQuotaStrategy,
  columns: columnsOf([
    nameColumn,
    text('Request', 'What may be requested, and is.', (quota) => usageCell(quota, false)),
    text('Limit', 'What the limits may add up to, and do.', (quota) => usageCell(quota, true)),
    ageColumn,
  ]),
  returnsDeletedObject: true,
}

function usageCell({ status }: ResourceQuota, ofLimits: boolean): string {
  const { hard = {}, used = {} } = status ?? {}
  return Object.keys(hard)
    .sort()
    .filter((name) => name.startsWith('limits.') === ofLimits)
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
    .join(', ')
}

// Kubernetes: pkg/printers/internalversion.printResourceQuota
// Kubernetes: pkg/registry/core/resourcequota.resourcequotaStrategy.*, resourcequotaStatusStrategy.*
import { compareQuantities, parseQuantity } from '../../../../base/quantity.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { roundResources } from '../../../machinery/resource-rounding.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ResourceQuota } from '../../../types.ts'
import { validateResourceQuota, validateResourceQuotaStatusUpdate, validateResourceQuotaUpdate } from './validation.ts'

export const resourceQuotas: Kind<ResourceQuota> = {
  ...resource('core.ResourceQuota'),
  strategy: {
    default(quota) {
      roundResources(quota.spec?.hard)
      roundResources(quota.status?.hard)
      roundResources(quota.status?.used)
    },
    ...ownStatus('core.ResourceQuotaStatus'),
    validate: validateResourceQuota,
    validateUpdate: validateResourceQuotaUpdate,
    validateStatusUpdate: validateResourceQuotaStatusUpdate,
    warnings: ({ spec }, current) => (current === undefined ? quotaWarnings(spec?.hard ?? {}) : []),
  },
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

/** Warns where the quota of requests is larger than that of limits. */
function quotaWarnings(hard: Readonly<Record<string, string>>): string[] {
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((resource) => {
    const bare = resource === 'cpu' || resource === 'memory'
    const requestName = !Object.hasOwn(hard, `requests.${resource}`) && bare ? resource : `requests.${resource}`
    const limitName = `limits.${resource}`
    const request = parseQuantity(hard[requestName] ?? '')
    const limit = parseQuantity(hard[limitName] ?? '')
    if (request === undefined || limit === undefined || compareQuantities(request, limit) <= 0) return []
    return [`ResourceQuota ${requestName} (${hard[requestName]}) should be less than ${limitName} (${hard[limitName]})`]
  })
}

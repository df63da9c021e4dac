import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ResourceQuota } from '../../../types.ts'
import { resourceQuotaStrategy } from './strategy.ts'

export const resourceQuotas: Kind<ResourceQuota> = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  namespaced: true,
  type: 'core.ResourceQuota',
  types: {
    'core.ResourceQuota': {
      $typeMeta: 'object',
      spec: 'core.ResourceQuotaSpec #2',
      status: 'core.ResourceQuotaStatus #3',
    },
    'core.ResourceQuotaSpec': {
      hard: 'map Quantity goType=v1.ResourceList #1',
      scopes: '[]string list=atomic goType=[]v1.ResourceQuotaScope #2',
      scopeSelector: '*core.ScopeSelector #3',
    },
    'core.ScopeSelector': {
      $struct: 'atomic',
      matchExpressions: '[]core.ScopedResourceSelectorRequirement list=atomic #1',
    },
    'core.ScopedResourceSelectorRequirement': {
      scopeName: 'string always required goType=v1.ResourceQuotaScope #1',
      operator: 'string always required goType=v1.ScopeSelectorOperator #2',
      values: '[]string list=atomic #3',
    },
    'core.ResourceQuotaStatus': {
      hard: 'map Quantity goType=v1.ResourceList #1',
      used: 'map Quantity goType=v1.ResourceList #2',
    },
  },
  strategy: resourceQuotaStrategy,
  subresources: { status: true },
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

import type { Types } from '../../../machinery/schema/schema.ts'

export const resourceQuotaTypes: Types = {
  'core.ResourceQuota': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
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
}

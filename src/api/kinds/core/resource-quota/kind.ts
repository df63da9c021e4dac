import type { Kind } from '../../../machinery/kind.ts'
import type { ResourceQuota } from '../../../types.ts'
import { resourceQuotaColumns } from './columns.ts'
import { resourceQuotaTypes } from './schema.ts'
import { resourceQuotaStrategy } from './strategy.ts'

export const resourceQuotas: Kind<ResourceQuota> = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  namespaced: true,
  type: 'core.ResourceQuota',
  types: resourceQuotaTypes,
  strategy: resourceQuotaStrategy,
  subresources: { status: true },
  columns: resourceQuotaColumns,
  returnsDeletedObject: true,
}

import { roundResources } from '../../../machinery/resource-rounding.ts'
import type { ResourceQuota, Writable } from '../../../types.ts'

export function defaultResourceQuota(quota: Writable<ResourceQuota>): void {
  roundResources(quota.spec?.hard)
  roundResources(quota.status?.hard)
  roundResources(quota.status?.used)
}

// The status of a ResourceQuota: its limits and their usage.
// Kubernetes: pkg/controller/resourcequota.Controller.syncResourceQuota
// Kubernetes: k8s.io/apiserver/pkg/quota/v1.CalculateUsage
import { readList } from '../../../api/kinds/core/resource-quota/pod-usage.ts'
import type { ResourceQuota } from '../../../api/types.ts'
import { formatQuantity, type Quantity } from '../../../base/quantity.ts'

type QuotaStatus = NonNullable<ResourceQuota['status']>
type List = Readonly<Record<string, string>>

/** Resources that are not in `usage` keep their value. Undefined if the status is up to date. */
export function nextQuotaStatus({ spec, status }: ResourceQuota, usage: ReadonlyMap<string, Quantity>): QuotaStatus | undefined {
  const hard = (spec?.hard ?? {}) as List
  const before = (status?.used ?? {}) as List
  const used: Record<string, string> = {}
  for (const name of Object.keys(hard)) {
    const amount = usage.get(name)
    if (amount !== undefined) used[name] = formatQuantity(amount)
    else if (Object.hasOwn(before, name)) used[name] = before[name]!
  }
  if (status?.hard !== undefined && status.used !== undefined && isSame(hard, status.hard as List) && isSame(used, before)) return undefined
  return { hard, used }
}

function isSame(a: List, b: List): boolean {
  const [one, other] = [readList(a), readList(b)]
  if (one.size !== other.size) return false
  for (const [name, amount] of one) if (other.get(name)?.nano !== amount.nano) return false
  return true
}

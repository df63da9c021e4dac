// Whether a request fits into the quotas of its namespace, and what it charges to each.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/resourcequota.CheckRequest
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  type Quantity,
  subtractQuantities,
  zeroQuantity,
} from '../../../../base/quantity.ts'
import type { KubernetesObject, ResourceQuota } from '../../../types.ts'
import { isQuotaFor, type QuotaMeasure } from './measures.ts'
import { type Amounts, readList } from './pod-usage.ts'

interface QuotaState {
  readonly quota: ResourceQuota
  /** The usage of each of its resources, including what is reserved for requests that are still being processed. */
  readonly used: Amounts
}

interface QuotaRequest {
  readonly measure: QuotaMeasure
  readonly object: KubernetesObject
  /** The object that it replaces. */
  readonly current?: KubernetesObject
  readonly nowMs: number
}

type QuotaVerdict =
  | { readonly refusal: string }
  /** In the order of the quotas; undefined for a quota that is not concerned. */
  | { readonly charges: readonly (Amounts | undefined)[] }

export function planCharges(quotas: readonly QuotaState[], request: QuotaRequest): QuotaVerdict {
  const { measure, object, current, nowMs } = request
  const concerned = quotas.map(({ quota }) => isQuotaFor(quota, measure, object))
  if (!concerned.includes(true)) return { charges: [] }
  for (const [index, { quota }] of quotas.entries()) {
    if (!concerned[index]) continue
    const missing = measure.findMissing?.(Object.keys(quota.spec?.hard ?? {}), object)
    if (missing !== undefined) return { refusal: `failed quota: ${quota.metadata?.name}: ${missing}` }
  }
  const usage = measure.usage(object, nowMs)
  const before = current && measure.usage(current, nowMs)
  const charges: (Amounts | undefined)[] = []
  for (const [index, state] of quotas.entries()) {
    const { quota } = state
    const wasConcerned = concerned[index] && current !== undefined && isQuotaFor(quota, measure, current)
    const charge = concerned[index] ? chargeOf(quota, usage, wasConcerned ? before : undefined) : undefined
    const refusal = charge && findExceeded(state, charge)
    if (refusal !== undefined) return { refusal }
    charges.push(charge)
  }
  return { charges }
}

/** What is used beyond `before`, of the resources that the quota limits; nothing that is zero or less. */
function chargeOf({ spec }: ResourceQuota, usage: Amounts, before: Amounts | undefined): Amounts | undefined {
  const charge = new Map<string, Quantity>()
  for (const name of Object.keys(spec?.hard ?? {})) {
    const amount = usage.get(name)
    if (amount === undefined) continue
    const more = before === undefined ? amount : subtractQuantities(amount, before.get(name) ?? zeroQuantity)
    if (more.nano > 0n) charge.set(name, more)
  }
  return charge.size === 0 ? undefined : charge
}

function findExceeded({ quota, used }: QuotaState, charge: Amounts): string | undefined {
  const hard = readList(quota.spec?.hard as Readonly<Record<string, string>> | undefined)
  const exceeded = [...charge]
    .filter(([name, amount]) => compareQuantities(addQuantities(used.get(name) ?? zeroQuantity, amount), hard.get(name)!) > 0)
    .map(([name]) => name)
    .sort()
  if (exceeded.length === 0) return undefined
  const shown = (amounts: Amounts) => exceeded.map((name) => `${name}=${formatQuantity(amounts.get(name) ?? zeroQuantity)}`).join(',')
  return `exceeded quota: ${quota.metadata?.name}, requested: ${shown(charge)}, used: ${shown(used)}, limited: ${shown(hard)}`
}

/** What all these objects use of the quota's resources. Resources that `measure` does not track are left alone. */
export function addUsage(
  used: Map<string, Quantity>,
  quota: ResourceQuota,
  measure: QuotaMeasure,
  objects: Iterable<KubernetesObject>,
  nowMs: number,
): void {
  const names = Object.keys(quota.spec?.hard ?? {}).filter(measure.tracks)
  for (const name of names) used.set(name, used.get(name) ?? zeroQuantity)
  for (const object of objects) {
    if (!isQuotaFor(quota, measure, object)) continue
    const usage = measure.usage(object, nowMs)
    for (const name of names) {
      const amount = usage.get(name)
      if (amount !== undefined) used.set(name, addQuantities(used.get(name)!, amount))
    }
  }
}

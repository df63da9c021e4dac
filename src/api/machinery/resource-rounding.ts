// Kubernetes stores amounts of resources in thousandths at the finest.
// Kubernetes: pkg/apis/core/v1.SetDefaults_ResourceList
import { formatQuantity, parseQuantity } from '../../base/quantity.ts'

export type ResourceList = Record<string, string>

// Most amounts are integers with a suffix of at least thousandths. They need no rounding.
const coarse = /^-?[0-9]+(?:m|k|[KMGTPE]i?)?$/
const milli = 1_000_000n

/** Rounds the amounts up to thousandths, in place. */
export function roundResources(list: ResourceList | undefined): void {
  if (list === undefined || list === null) return
  for (const name of Object.keys(list)) {
    const text = list[name]!
    if (typeof text !== 'string' || coarse.test(text)) continue
    const quantity = parseQuantity(text)
    if (quantity === undefined || quantity.nano % milli === 0n) continue
    const down = quantity.nano / milli
    list[name] = formatQuantity({ ...quantity, nano: (quantity.nano > 0n ? down + 1n : down - 1n) * milli })
  }
}

// The CPU and memory usage of simulated pods: the value of their annotation, and their share of the load of their Services.
// Ours: simulated pods use what their annotation says, as no container runs.

import { milliValue, parseQuantity } from '../../../base/quantity.ts'
import { isConditionTrue } from '../../machinery/conditions.ts'
import type { Pod, Service } from '../../types.ts'

/** On a pod: what it uses, `cpu=250m,memory=64Mi`. Its containers share it equally. */
const usageAnnotation = 'rollcall.dev/usage'
/** On a Service: what its ready pods use together, `cpu=4`. They share it equally. */
const loadAnnotation = 'rollcall.dev/load'

/** Thousandths by resource. */
export type Usage = ReadonlyMap<string, number>

/** A source of pod metrics other than annotations. Returns the usage by pod name; undefined: it has none for these pods. */
export type UsageSource = (
  target: { readonly kind: string; readonly namespace: string; readonly name: string },
  pods: readonly Pod[],
) => ReadonlyMap<string, Usage> | undefined

/** Parts that cannot be read are left out. */
function parseUsage(text: string | undefined): Usage {
  const usage = new Map<string, number>()
  for (const part of (text ?? '').split(',')) {
    const [name = '', amount = ''] = part.split('=').map((one) => one.trim())
    const quantity = parseQuantity(amount)
    if (name !== '' && quantity !== undefined && quantity.nano >= 0n) usage.set(name, milliValue(quantity))
  }
  return usage
}

/** Only running pods are measured. Services are those of the same namespace. The result is by the name of the pod. */
export function simulateUsage(pods: readonly Pod[], services: readonly Service[]): ReadonlyMap<string, Usage> {
  const usages = new Map<string, Map<string, number>>()
  for (const { metadata, status } of pods)
    if (status?.phase === 'Running')
      usages.set(metadata?.name ?? '', new Map([['cpu', 0], ['memory', 0], ...parseUsage(metadata?.annotations?.[usageAnnotation])]))
  for (const { metadata, spec } of services) {
    const load = parseUsage(metadata?.annotations?.[loadAnnotation])
    const selector = Object.entries(spec?.selector ?? {})
    if (load.size === 0 || selector.length === 0) continue
    const serving = pods.filter(
      (pod) =>
        usages.has(pod.metadata?.name ?? '') &&
        isReady(pod) &&
        pod.metadata?.deletionTimestamp === undefined &&
        selector.every(([name, value]) => pod.metadata?.labels?.[name] === value),
    )
    for (const pod of serving) {
      const usage = usages.get(pod.metadata?.name ?? '')!
      for (const [resource, milli] of load) usage.set(resource, (usage.get(resource) ?? 0) + Math.round(milli / serving.length))
    }
  }
  return usages
}

const isReady = ({ status }: Pod) => isConditionTrue(status?.conditions, 'Ready')

// A quota of a live namespace, less what others in it use. Pure.
import type { Pod, ResourceQuota } from '../../api/types.ts'
import { formatQuantity, parseQuantity } from '../../base/quantity.ts'
import { requestsOf } from './live-nodes.ts'

/** Limits of other objects are left out: not all of those objects are simulated. */
const isOfPods = (resource: string) => /^(pods|count\/pods|cpu|memory|ephemeral-storage|requests\..*|limits\..*)$/.test(resource)

/** `own`: the pods of the simulated workloads. Undefined: nothing of the quota concerns them. */
export function liveQuota(quota: ResourceQuota, own: readonly Pod[]): ResourceQuota | undefined {
  const entries = Object.entries(quota.spec?.hard ?? {}).filter(([resource]) => isOfPods(resource))
  if (entries.length === 0) return undefined
  const hard = entries.map(([resource, text]): [string, string] => {
    const limit = parseQuantity(text)
    const used = parseQuantity(quota.status?.used?.[resource] ?? '0')?.nano ?? 0n
    if (limit === undefined) return [resource, text]
    const others = used - ownUse(own, resource)
    const left = limit.nano - (others < 0n ? 0n : others)
    return [resource, formatQuantity({ ...limit, nano: left < 0n ? 0n : left })]
  })
  return { ...quota, spec: { ...quota.spec, hard: Object.fromEntries(hard) } }
}

function ownUse(pods: readonly Pod[], resource: string): bigint {
  const counted = pods.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
  if (resource === 'pods' || resource === 'count/pods') return BigInt(counted.length) * 1_000_000_000n
  const name = resource.replace(/^(requests|limits)\./, '')
  return counted.reduce((sum, pod) => {
    if (!resource.startsWith('limits.')) return sum + (requestsOf(pod).get(name) ?? 0n)
    return (pod.spec?.containers ?? []).reduce(
      (own, { resources }) => own + (parseQuantity(resources?.limits?.[name] ?? '0')?.nano ?? 0n),
      sum,
    )
  }, 0n)
}

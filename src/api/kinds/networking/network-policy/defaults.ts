import { fill, replaceFields } from '../../../machinery/fields.ts'
import type { NetworkPolicy, Writable } from '../../../types.ts'

type Rule = { ports?: { protocol?: string }[] }

export function defaultNetworkPolicy(policy: Writable<NetworkPolicy>): void {
  const { spec } = policy
  if (spec === undefined) return
  for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])] as Rule[])
    if (rule.ports) rule.ports = rule.ports.map((port) => fill('networking.NetworkPolicyPort', port, { protocol: 'TCP' }))
  if ((spec.policyTypes ?? []).length === 0) {
    const policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
    policy.spec = replaceFields('networking.NetworkPolicySpec', spec, { policyTypes })
  }
}

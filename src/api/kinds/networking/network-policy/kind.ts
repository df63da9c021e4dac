// Kubernetes: pkg/registry/networking/networkpolicy.networkPolicyStrategy.*
// Kubernetes: pkg/printers/internalversion.printNetworkPolicy
// Kubernetes: pkg/apis/networking/v1.SetDefaults_NetworkPolicy, SetDefaults_NetworkPolicyPort
import { ageColumn, columnsOf, nameColumn, selectorCell, text } from '../../../machinery/columns/cells.ts'
import { fill, replaceFields } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { NetworkPolicy, Writable } from '../../../types.ts'
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from './validation.ts'

type Rule = { ports?: { protocol?: string }[] }

export const networkPolicies: Kind<NetworkPolicy> = {
  ...resource('networking.NetworkPolicy'),
  strategy: {
    generation: true,
    default: defaultNetworkPolicy,
    validate: validateNetworkPolicy,
    validateUpdate: validateNetworkPolicyUpdate,
  },
  columns: columnsOf([
    nameColumn,
    text('Pod-Selector', 'Which pods it applies to.', ({ spec }) => selectorCell(spec?.podSelector)),
    ageColumn,
  ]),
}

function defaultNetworkPolicy(policy: Writable<NetworkPolicy>): void {
  const { spec } = policy
  if (spec === undefined) return
  for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])] as Rule[])
    if (rule.ports) rule.ports = rule.ports.map((port) => fill('networking.NetworkPolicyPort', port, { protocol: 'TCP' }))
  if ((spec.policyTypes ?? []).length === 0) {
    const policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
    policy.spec = replaceFields('networking.NetworkPolicySpec', spec, { policyTypes })
  }
}

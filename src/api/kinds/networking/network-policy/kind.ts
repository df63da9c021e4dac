import { ageColumn, columnsOf, nameColumn, selectorCell, text } from '../../../machinery/columns/cells.ts'
import { fill, replaceFields } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { NetworkPolicy, Writable } from '../../../types.ts'
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from './validation.ts'

type Rule = { ports?: { protocol?: string }[] }

export const networkPolicies: Kind<NetworkPolicy> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  namespaced: true,
  type: 'networking.NetworkPolicy',
  types: {
    'networking.NetworkPolicy': {
      $typeMeta: 'object',
      spec: 'networking.NetworkPolicySpec #2',
    },
    'networking.NetworkPolicySpec': {
      podSelector: 'meta.LabelSelector always #1',
      ingress: '[]networking.NetworkPolicyIngressRule list=atomic #2',
      egress: '[]networking.NetworkPolicyEgressRule list=atomic #3',
      policyTypes: '[]string list=atomic goType=[]v1.PolicyType #4',
    },
    'networking.NetworkPolicyIngressRule': {
      ports: '[]networking.NetworkPolicyPort list=atomic #1',
      from: '[]networking.NetworkPolicyPeer list=atomic #2',
    },
    'networking.NetworkPolicyEgressRule': {
      ports: '[]networking.NetworkPolicyPort list=atomic #1',
      to: '[]networking.NetworkPolicyPeer list=atomic #2',
    },
    'networking.NetworkPolicyPort': {
      protocol: '*string enum=SCTP|TCP|UDP goType=v1.Protocol #1',
      port: '*IntOrString #2',
      endPort: '*int32 #3',
    },
    'networking.NetworkPolicyPeer': {
      podSelector: '*meta.LabelSelector #1',
      namespaceSelector: '*meta.LabelSelector #2',
      ipBlock: '*networking.IPBlock goName=IPBlock #3',
    },
    'networking.IPBlock': {
      cidr: 'string always required goName=CIDR #1',
      except: '[]string list=atomic #2',
    },
  },
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

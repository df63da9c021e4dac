import type { Kind } from '../../../machinery/kind.ts'
import type { NetworkPolicy } from '../../../types.ts'
import { networkPolicyColumns } from './columns.ts'
import { defaultNetworkPolicy } from './defaults.ts'
import { networkPolicyTypes } from './schema.ts'
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from './validation.ts'

export const networkPolicies: Kind<NetworkPolicy> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  namespaced: true,
  type: 'networking.NetworkPolicy',
  types: networkPolicyTypes,
  strategy: {
    names: 'dns-subdomain',
    generation: true,
    default: defaultNetworkPolicy,
    validate: validateNetworkPolicy,
    validateUpdate: validateNetworkPolicyUpdate,
  },
  columns: networkPolicyColumns,
}

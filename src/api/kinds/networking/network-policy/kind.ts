import { ageColumn, columnsOf, nameColumn, selectorCell, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { NetworkPolicy } from '../../../types.ts'
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
  columns: columnsOf([
    nameColumn,
    text('Pod-Selector', 'Which pods it applies to.', ({ spec }) => selectorCell(spec?.podSelector)),
    ageColumn,
  ]),
}

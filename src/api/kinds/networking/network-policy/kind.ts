import type { Kind } from '../../../machinery/kind.ts'
import type { NetworkPolicy } from '../../../types.ts'
import { networkPolicyColumns } from './columns.ts'
import { networkPolicyTypes } from './schema.ts'
import { networkPolicyStrategy } from './strategy.ts'

export const networkPolicies: Kind<NetworkPolicy> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  singular: 'networkpolicy',
  shortNames: ['netpol'],
  namespaced: true,
  type: 'networking.NetworkPolicy',
  types: networkPolicyTypes,
  strategy: networkPolicyStrategy,
  columns: networkPolicyColumns,
}

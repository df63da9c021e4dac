import type { Strategy } from '../../../machinery/kind.ts'
import type { NetworkPolicy } from '../../../types.ts'
import { defaultNetworkPolicy } from './defaults.ts'

export const networkPolicyStrategy: Strategy<NetworkPolicy> = {
  names: 'dns-subdomain',
  generation: true,
  default: defaultNetworkPolicy,
}

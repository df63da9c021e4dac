import type { Strategy } from '../../../machinery/kind.ts'
import type { NetworkPolicy } from '../../../types.ts'
import { defaultNetworkPolicy } from './defaults.ts'
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from './validation.ts'

export const networkPolicyStrategy: Strategy<NetworkPolicy> = {
  names: 'dns-subdomain',
  generation: true,
  default: defaultNetworkPolicy,
  validate: validateNetworkPolicy,
  validateUpdate: validateNetworkPolicyUpdate,
}

import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { ServiceCidr } from '../../../types.ts'

export const serviceCidrStrategy: Strategy<ServiceCidr> = {
  names: 'dns-subdomain',
  ...ownStatus('networking.ServiceCIDRStatus'),
}

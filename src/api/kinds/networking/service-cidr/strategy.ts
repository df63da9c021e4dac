import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { ServiceCidr } from '../../../types.ts'
import { validateServiceCidr, validateServiceCidrUpdate } from './validation.ts'

export const serviceCidrStrategy: Strategy<ServiceCidr> = {
  names: 'dns-subdomain',
  ...ownStatus('networking.ServiceCIDRStatus'),
  validate: validateServiceCidr,
  validateUpdate: validateServiceCidrUpdate,
}

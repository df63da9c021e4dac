import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ServiceCidr } from '../../../types.ts'
import { serviceCidrColumns } from './columns.ts'
import { serviceCidrTypes } from './schema.ts'
import { validateServiceCidr, validateServiceCidrUpdate } from './validation.ts'

export const serviceCidrs: Kind<ServiceCidr> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  namespaced: false,
  type: 'networking.ServiceCIDR',
  types: serviceCidrTypes,
  strategy: {
    names: 'dns-subdomain',
    ...ownStatus('networking.ServiceCIDRStatus'),
    validate: validateServiceCidr,
    validateUpdate: validateServiceCidrUpdate,
  },
  subresources: { status: true },
  columns: serviceCidrColumns,
}

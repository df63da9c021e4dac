import type { Kind } from '../../../machinery/kind.ts'
import type { ServiceCidr } from '../../../types.ts'
import { serviceCidrColumns } from './columns.ts'
import { serviceCidrTypes } from './schema.ts'
import { serviceCidrStrategy } from './strategy.ts'

export const serviceCidrs: Kind<ServiceCidr> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  singular: 'servicecidr',
  namespaced: false,
  type: 'networking.ServiceCIDR',
  types: serviceCidrTypes,
  strategy: serviceCidrStrategy,
  subresources: { status: true },
  columns: serviceCidrColumns,
}

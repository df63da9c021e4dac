import type { Kind } from '../../../machinery/kind.ts'
import type { IpAddress } from '../../../types.ts'
import { ipAddressColumns } from './columns.ts'
import { ipAddressTypes } from './schema.ts'
import { ipAddressStrategy } from './strategy.ts'

export const ipAddresses: Kind<IpAddress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  singular: 'ipaddress',
  shortNames: ['ip'],
  namespaced: false,
  type: 'networking.IPAddress',
  types: ipAddressTypes,
  strategy: ipAddressStrategy,
  columns: ipAddressColumns,
}

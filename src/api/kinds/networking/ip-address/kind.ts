import type { Kind } from '../../../machinery/kind.ts'
import type { IpAddress } from '../../../types.ts'
import { ipAddressColumns } from './columns.ts'
import { ipAddressTypes } from './schema.ts'
import { validateIpAddress, validateIpAddressUpdate } from './validation.ts'

export const ipAddresses: Kind<IpAddress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  shortNames: ['ip'],
  namespaced: false,
  type: 'networking.IPAddress',
  types: ipAddressTypes,
  strategy: {
    names: 'path-segment',
    validate: validateIpAddress,
    validateUpdate: validateIpAddressUpdate,
  },
  columns: ipAddressColumns,
}

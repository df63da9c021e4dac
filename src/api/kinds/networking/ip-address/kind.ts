// Kubernetes: pkg/registry/networking/ipaddress.ipAddressStrategy.*
// Kubernetes: pkg/printers/internalversion.printIPAddress
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { IpAddress } from '../../../types.ts'
import { validateIpAddress, validateIpAddressUpdate } from './validation.ts'

const cells = columnsOf<IpAddress>([nameColumn, text('ParentRef', 'The object that the address is allocated to.', parentCell), ageColumn])

export const ipAddresses: Kind<IpAddress> = {
  ...resource('networking.IPAddress'),
  strategy: {
    names: 'path-segment',
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateIpAddress,
    validateUpdate: validateIpAddressUpdate,
  },
  // Kubernetes has a third cell, the age, and no definition for it.
  columns: { ...cells, definitions: cells.definitions.slice(0, 2) },
}

function parentCell({ spec }: IpAddress): string {
  const parent = spec?.parentRef
  if (parent === undefined) return '<none>'
  const { group, resource, namespace, name } = parent
  const parts = [(group ? `${resource}.${group}` : (resource ?? '')).toLowerCase(), ...(namespace ? [namespace] : []), name ?? '']
  return parts.join('/')
}

// Kubernetes: pkg/registry/networking/ipaddress.ipAddressStrategy.*
// Kubernetes: pkg/printers/internalversion.printIPAddress
import { isEqualJson } from '../../../../base/json.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { changed, type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { isCanonicalIp } from '../../../machinery/validation/ip-address.ts'
import { isDns1123Subdomain, isPathSegmentName } from '../../../machinery/validation/names.ts'
import type { IpAddress } from '../../../types.ts'

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

// Kubernetes: pkg/apis/networking/validation.ValidateIPAddress, ValidateIPAddressUpdate
export function validateIpAddress({ metadata, spec }: IpAddress): FieldError[] {
  // Kubernetes judges a generateName as a name.
  const names = [['metadata.generateName', metadata?.generateName || undefined] as const, ['metadata.name', metadata?.name ?? ''] as const]
  const errors = names.flatMap(([path, name]) =>
    name === undefined ? [] : isCanonicalIp(name).map((message) => invalid(path, name, message)),
  )
  const parent = spec?.parentRef
  if (parent === undefined) return [...errors, required('spec.parentRef', '')]
  const path = 'spec.parentRef'
  if (parent.group) for (const message of isDns1123Subdomain(parent.group)) errors.push(invalid(`${path}.group`, parent.group, message))
  for (const field of ['resource', 'name', 'namespace'] as const) {
    const value = parent[field]
    if (value) for (const message of isPathSegmentName(value)) errors.push(invalid(`${path}.${field}`, value, message))
    else if (field !== 'namespace') errors.push(required(`${path}.${field}`, ''))
  }
  return errors
}

function validateIpAddressUpdate(next: IpAddress, current: IpAddress): FieldError[] {
  const errors = validateIpAddress(next)
  if (isEqualJson(next.spec?.parentRef, current.spec?.parentRef)) return errors
  return [...errors, changed('spec.parentRef')]
}

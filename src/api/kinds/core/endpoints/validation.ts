// Kubernetes: pkg/apis/core/validation.ValidateEndpoints, ValidateEndpointsCreate, ValidateEndpointsUpdate, validateEndpointSubsets
// Kubernetes: pkg/apis/core/validation.validateEndpointAddress, ValidateEndpointIP, validateEndpointPort
import { isEqualJson } from '../../../../base/json.ts'
import { type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { addEnumErrors } from '../../../machinery/validation/enums.ts'
import { isValidIp, parseIp } from '../../../machinery/validation/ip-address.ts'
import { isDns1123Label, isDns1123Subdomain, isQualifiedName, isValidPortNumber } from '../../../machinery/validation/names.ts'
import type { Endpoints } from '../../../types.ts'

type Subset = NonNullable<Endpoints['subsets']>[number]

/** Addresses that no endpoint can have, and no external IP of a Service. */
export function validateEndpointIp(value: string, path: string): FieldError[] {
  const ip = parseIp(value)
  if (ip === undefined) return [invalid(path, value, 'must be a valid IP address')]
  const bytes = ip.isMapped ? ip.bytes.slice(12) : ip.bytes
  const [a = 0, b = 0, c = 0] = bytes
  const isFour = bytes.length === 4
  const isZeroButLast = bytes.slice(0, -1).every((byte) => byte === 0)
  const errors: FieldError[] = []
  if (isZeroButLast && bytes.at(-1) === 0) errors.push(invalid(path, value, `may not be unspecified (${value})`))
  if (isFour ? a === 127 : isZeroButLast && bytes.at(-1) === 1)
    errors.push(invalid(path, value, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'))
  if (isFour ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80)
    errors.push(invalid(path, value, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'))
  if (isFour ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 0x02)
    errors.push(invalid(path, value, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'))
  return errors
}

export const invalidFor = (messages: readonly string[], value: string, path: string) =>
  messages.map((message) => invalid(path, value, message))

export function validateEndpoints(endpoints: Endpoints): FieldError[] {
  return (endpoints.subsets ?? []).flatMap((subset, index) => validateSubset(subset, `subsets[${index}]`))
}

/** Addresses that were stored under older rules may stay. */
export function validateEndpointsUpdate(next: Endpoints, current: Endpoints): FieldError[] {
  const errors = validateEndpoints(next)
  return errors.length > 0 && isEqualJson(next.subsets, current.subsets) ? [] : errors
}

function validateSubset({ addresses = [], notReadyAddresses = [], ports = [] }: Subset, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (addresses.length === 0 && notReadyAddresses.length === 0)
    errors.push(required(path, 'must specify `addresses` or `notReadyAddresses`'))
  for (const [list, field] of [
    [addresses, 'addresses'],
    [notReadyAddresses, 'notReadyAddresses'],
  ] as const)
    for (const [index, { ip = '', hostname, nodeName }] of list.entries()) {
      const here = `${path}.${field}[${index}]`
      errors.push(...invalidFor(isValidIp(ip), ip, `${here}.ip`))
      if (hostname) errors.push(...invalidFor(isDns1123Label(hostname), hostname, `${here}.hostname`))
      if (nodeName !== undefined) errors.push(...invalidFor(isDns1123Subdomain(nodeName), nodeName, `${here}.nodeName`))
      errors.push(...validateEndpointIp(ip, `${here}.ip`))
    }
  for (const [index, { name, port = 0, protocol, appProtocol }] of ports.entries()) {
    const here = `${path}.ports[${index}]`
    if (!name && ports.length > 1) errors.push(required(`${here}.name`, ''))
    else if (name) errors.push(...invalidFor(isDns1123Label(name), name, `${here}.name`))
    for (const message of isValidPortNumber(port)) errors.push(invalid(`${here}.port`, port, message))
    addProtocolErrors(errors, protocol, appProtocol, here)
  }
  return errors
}

export function addProtocolErrors(errors: FieldError[], protocol: string | undefined, appProtocol: string | undefined, path: string): void {
  addEnumErrors(errors, protocol, 'core.EndpointPort.protocol', () => `${path}.protocol`)
  if (appProtocol !== undefined) errors.push(...invalidFor(isQualifiedName(appProtocol), appProtocol, `${path}.appProtocol`))
}

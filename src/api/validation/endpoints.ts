// Endpoints and EndpointSlices.

import { isEqualJson } from '../../base/json.ts'
import { duplicate, type FieldError, invalid, notSupported, required, tooMany } from '../machinery/field-error.ts'
import type { StrategyContext } from '../machinery/kind.ts'
import { typed } from '../machinery/shown-value.ts'
import { isCanonicalIp, isValidIp, parseIp } from '../machinery/validation/ip-address.ts'
import { immutableMessage, validateLabels } from '../machinery/validation/metadata.ts'
import { isDns1123Label, isDns1123Subdomain, isQualifiedName, isValidLabelValue, isValidPortNumber } from '../machinery/validation/names.ts'
import { validateFullyQualifiedDomainName } from '../machinery/validation/names-in-fields.ts'
import type { EndpointSlice, Endpoints } from '../types.ts'

type Subset = NonNullable<Endpoints['subsets']>[number]
type Endpoint = NonNullable<EndpointSlice['endpoints']>[number]

export const protocols = ['SCTP', 'TCP', 'UDP']

/** Addresses that no endpoint can have. External IPs of Services are held to the same. */
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

const about = (messages: readonly string[], value: string, path: string) => messages.map((message) => invalid(path, value, message))

export function validateEndpoints(endpoints: Endpoints, _context: StrategyContext): FieldError[] {
  return (endpoints.subsets ?? []).flatMap((subset, index) => validateSubset(subset, `subsets[${index}]`))
}

/** Addresses that were stored under older rules may stay. */
export function validateEndpointsUpdate(next: Endpoints, current: Endpoints, context: StrategyContext): FieldError[] {
  const errors = validateEndpoints(next, context)
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
      errors.push(...about(isValidIp(ip), ip, `${here}.ip`))
      if (hostname) errors.push(...about(isDns1123Label(hostname), hostname, `${here}.hostname`))
      if (nodeName !== undefined) errors.push(...about(isDns1123Subdomain(nodeName), nodeName, `${here}.nodeName`))
      errors.push(...validateEndpointIp(ip, `${here}.ip`))
    }
  for (const [index, { name, port = 0, protocol, appProtocol }] of ports.entries()) {
    const here = `${path}.ports[${index}]`
    if (!name && ports.length > 1) errors.push(required(`${here}.name`, ''))
    else if (name) errors.push(...about(isDns1123Label(name), name, `${here}.name`))
    for (const message of isValidPortNumber(port)) errors.push(invalid(`${here}.port`, port, message))
    addProtocolErrors(errors, protocol, appProtocol, here)
  }
  return errors
}

export function addProtocolErrors(errors: FieldError[], protocol: string | undefined, appProtocol: string | undefined, path: string): void {
  if (!protocol) errors.push(required(`${path}.protocol`, ''))
  else if (!protocols.includes(protocol)) errors.push(notSupported(`${path}.protocol`, typed(protocol), protocols))
  if (appProtocol !== undefined) errors.push(...about(isQualifiedName(appProtocol), appProtocol, `${path}.appProtocol`))
}

const addressTypes = ['FQDN', 'IPv4', 'IPv6']

export function validateEndpointSlice(slice: EndpointSlice, _context: StrategyContext): FieldError[] {
  return [...validateSliceType(slice), ...validateSliceEndpoints(slice)]
}

export function validateEndpointSliceUpdate(next: EndpointSlice, current: EndpointSlice, _context: StrategyContext): FieldError[] {
  const errors = validateSliceType(next)
  const wrong = validateSliceEndpoints(next)
  if (wrong.length > 0 && !isEqualJson(next.endpoints, current.endpoints)) errors.push(...wrong)
  if (next.addressType !== current.addressType) errors.push(invalid('addressType', typed(next.addressType), immutableMessage))
  return errors
}

function validateSliceType({ addressType, ports }: EndpointSlice): FieldError[] {
  const errors: FieldError[] = []
  if (!addressType) errors.push(required('addressType', ''))
  else if (!addressTypes.includes(addressType)) errors.push(notSupported('addressType', typed(addressType), addressTypes))
  if (ports && ports.length > 20_000) return [...errors, tooMany('ports', ports.length, 20_000)]
  const names = new Set<string>()
  for (const [index, { name = '', protocol, appProtocol }] of (ports ?? []).entries()) {
    const path = `ports[${index}]`
    if (name !== '') errors.push(...about(isDns1123Label(name), name, `${path}.name`))
    if (names.has(name)) errors.push(duplicate(`${path}.name`, typed(name)))
    names.add(name)
    if (protocol === undefined) errors.push(required(`${path}.protocol`, ''))
    else if (!protocols.includes(protocol)) errors.push(notSupported(`${path}.protocol`, typed(protocol), protocols))
    if (appProtocol !== undefined) errors.push(...about(isQualifiedName(appProtocol), appProtocol, `${path}.appProtocol`))
  }
  return errors
}

function validateSliceEndpoints({ endpoints, addressType }: EndpointSlice): FieldError[] {
  if (endpoints && endpoints.length > 1000) return [tooMany('endpoints', endpoints.length, 1000)]
  return (endpoints ?? []).flatMap((endpoint, index) => validateEndpoint(endpoint, addressType, `endpoints[${index}]`))
}

function validateEndpoint(endpoint: Endpoint, addressType: string, path: string): FieldError[] {
  const errors: FieldError[] = []
  const { nodeName, hostname, hints, deprecatedTopology } = endpoint
  const addresses = endpoint.addresses ?? []
  if (addresses.length === 0) errors.push(required(`${path}.addresses`, 'must contain at least 1 address'))
  else if (addresses.length > 100) errors.push(tooMany(`${path}.addresses`, addresses.length, 100))
  for (const [index, address] of addresses.entries()) errors.push(...validateAddress(address, addressType, `${path}.addresses`, index))
  if (nodeName !== undefined) errors.push(...about(isDns1123Subdomain(nodeName), nodeName, `${path}.nodeName`))
  const topology = Object.keys(deprecatedTopology ?? {}).length
  if (topology > 16) errors.push(tooMany(`${path}.deprecatedTopology`, topology, 16))
  errors.push(...validateLabels(deprecatedTopology, `${path}.deprecatedTopology`))
  if (hostname !== undefined) errors.push(...about(isDns1123Label(hostname), hostname, `${path}.hostname`))
  addHintErrors(errors, hints, `${path}.hints`)
  return errors
}

function validateAddress(address: string, addressType: string, path: string, index: number): FieldError[] {
  const here = `${path}[${index}]`
  if (addressType === 'FQDN') return validateFullyQualifiedDomainName(address, here)
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return []
  const wrong = addressType === 'IPv4' ? isValidIp(address) : isCanonicalIp(address)
  if (wrong.length > 0) return about(wrong, address, here)
  const isRight = parseIp(address)?.family === (addressType === 'IPv4' ? 4 : 6)
  return [...(isRight ? [] : [invalid(path, address, `must be an ${addressType} address`)]), ...validateEndpointIp(address, here)]
}

function addHintErrors(errors: FieldError[], hints: Endpoint['hints'], path: string): void {
  for (const [field, rule] of [
    ['forZones', isValidLabelValue],
    ['forNodes', isDns1123Subdomain],
  ] as const) {
    const list = hints?.[field] ?? []
    if (list.length > 8) {
      errors.push(tooMany(`${path}.${field}`, list.length, 8))
      return
    }
    const names = new Set<string>()
    for (const [index, { name = '' }] of list.entries()) {
      if (names.has(name)) errors.push(duplicate(`${path}.${field}[${index}].name`, name))
      names.add(name)
      errors.push(...about(rule(name), name, `${path}.${field}[${index}].name`))
    }
  }
}

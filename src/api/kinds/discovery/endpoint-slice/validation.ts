// Kubernetes: pkg/apis/discovery/validation.ValidateEndpointSlice, ValidateEndpointSliceUpdate, validateEndpoints, validatePorts
// Kubernetes: pkg/apis/discovery/validation.validateAddressType
import { isEqualJson } from '../../../../base/json.ts'
import { changed, declared, duplicate, type FieldError, invalid, required, tooMany, typed } from '../../../machinery/field-error.ts'
import { addEnumErrors, addUnsupported } from '../../../machinery/validation/enums.ts'
import { isCanonicalIp, isValidIp, parseIp } from '../../../machinery/validation/ip-address.ts'
import { validateLabels } from '../../../machinery/validation/metadata.ts'
import { isDns1123Label, isDns1123Subdomain, isQualifiedName, isValidLabelValue } from '../../../machinery/validation/names.ts'
import { validateFullyQualifiedDomainName } from '../../../machinery/validation/names-in-fields.ts'
import type { EndpointSlice } from '../../../types.ts'
import { invalidFor, validateEndpointIp } from '../../core/endpoints/validation.ts'

type Endpoint = NonNullable<EndpointSlice['endpoints']>[number]

const addressTypes = ['FQDN', 'IPv4', 'IPv6']

export function validateEndpointSlice(slice: EndpointSlice): FieldError[] {
  return [...validateSliceType(slice), ...validateSliceEndpoints(slice)]
}

export function validateEndpointSliceUpdate(next: EndpointSlice, current: EndpointSlice): FieldError[] {
  const errors = validateSliceType(next)
  const wrong = validateSliceEndpoints(next)
  if (wrong.length > 0 && !isEqualJson(next.endpoints, current.endpoints)) errors.push(...wrong)
  if (next.addressType !== current.addressType) errors.push(changed('addressType'))
  return errors
}

function validateSliceType({ addressType, ports }: EndpointSlice): FieldError[] {
  const errors: FieldError[] = []
  addEnumErrors(errors, addressType, addressTypes, () => 'addressType')
  if (ports && ports.length > 20_000) return [...errors, tooMany('ports', ports.length, 20_000)]
  const names = new Set<string>()
  for (const [index, { name = '', protocol, appProtocol }] of (ports ?? []).entries()) {
    const path = `ports[${index}]`
    if (name !== '') errors.push(...invalidFor(isDns1123Label(name), name, `${path}.name`))
    if (names.has(name)) errors.push(duplicate(`${path}.name`, typed(name)))
    names.add(name)
    if (protocol === undefined) errors.push(required(`${path}.protocol`, ''))
    else addUnsupported(errors, protocol, 'discovery.EndpointPort.protocol', `${path}.protocol`)
    if (appProtocol !== undefined) errors.push(...invalidFor(isQualifiedName(appProtocol), appProtocol, `${path}.appProtocol`))
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
  if (addresses.length === 0) errors.push(declared(required(`${path}.addresses`, '')))
  else if (addresses.length > 100) errors.push(tooMany(`${path}.addresses`, addresses.length, 100))
  for (const [index, address] of addresses.entries()) errors.push(...validateAddress(address, addressType, `${path}.addresses`, index))
  if (nodeName !== undefined) errors.push(...invalidFor(isDns1123Subdomain(nodeName), nodeName, `${path}.nodeName`))
  const topology = Object.keys(deprecatedTopology ?? {}).length
  if (topology > 16) errors.push(tooMany(`${path}.deprecatedTopology`, topology, 16))
  errors.push(...validateLabels(deprecatedTopology, `${path}.deprecatedTopology`))
  if (hostname !== undefined) errors.push(...invalidFor(isDns1123Label(hostname), hostname, `${path}.hostname`))
  addHintErrors(errors, hints, `${path}.hints`)
  return errors
}

function validateAddress(address: string, addressType: string, path: string, index: number): FieldError[] {
  const here = `${path}[${index}]`
  if (addressType === 'FQDN') return validateFullyQualifiedDomainName(address, here)
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return []
  const wrong = addressType === 'IPv4' ? isValidIp(address) : isCanonicalIp(address)
  if (wrong.length > 0) return invalidFor(wrong, address, here)
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
      errors.push(...invalidFor(rule(name), name, `${path}.${field}[${index}].name`))
    }
  }
}

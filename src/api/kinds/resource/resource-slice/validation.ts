import { duplicate, type FieldError, forbidden, invalid, required, tooLong, tooMany } from '../../../machinery/field-error.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { byteLength, isDns1123Label, isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import { validateDriverName } from '../../../machinery/validation/names-in-fields.ts'
import type { ResourceSlice } from '../../../types.ts'
import { checkNodeSelector } from '../../core/pod/validation/affinity.ts'

type Spec = NonNullable<ResourceSlice['spec']>

// Kubernetes: pkg/apis/resource/validation.ValidateResourceSliceUpdate
export function validateResourceSliceUpdate(next: ResourceSlice, current: ResourceSlice): FieldError[] {
  const kept = [
    ['pool.name', next.spec?.pool?.name, current.spec?.pool?.name],
    ['driver', next.spec?.driver, current.spec?.driver],
    ['nodeName', next.spec?.nodeName, current.spec?.nodeName],
  ] as const
  return [
    ...validateResourceSlice(next),
    ...kept.flatMap(([field, value, before]) => (value === before ? [] : [invalid(`spec.${field}`, value ?? null, immutableMessage)])),
  ]
}

export function validateResourceSlice({ spec }: ResourceSlice): FieldError[] {
  const errors: FieldError[] = []
  errors.push(...validateDriverName(spec?.driver ?? '', 'spec.driver'))
  addPoolErrors(errors, spec?.pool ?? ({} as Spec['pool']), 'spec.pool')
  const node = spec?.nodeName
  if (node !== undefined) {
    if (node === '') errors.push(invalid('spec.nodeName', node, 'must be either unset or set to a non-empty string'))
    else for (const message of isDns1123Subdomain(node)) errors.push(invalid('spec.nodeName', node, message))
  }
  const selector = spec?.nodeSelector
  if (selector !== undefined) {
    checkNodeSelector(errors, selector, () => 'spec.nodeSelector', false)
    const { nodeSelectorTerms: terms } = selector
    if (terms?.length !== 1)
      errors.push(invalid('spec.nodeSelector.nodeSelectorTerms', terms ?? null, 'must have exactly one node selector term'))
  }
  for (const field of ['allNodes', 'perDeviceNodeSelection'] as const)
    if (spec?.[field] === false) errors.push(invalid(`spec.${field}`, false, 'must be either unset or set to true'))
  const ways = [
    ...(node ? ['`nodeName`'] : []),
    ...(selector === undefined ? [] : ['`nodeSelector`']),
    ...(spec?.allNodes ? ['`allNodes`'] : []),
    ...(spec?.perDeviceNodeSelection ? ['`perDeviceNodeSelection`'] : []),
  ]
  const one = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'
  if (ways.length === 0) errors.push(required('spec', one))
  if (ways.length > 1) errors.push(invalid('spec', `{${ways.join(', ')}}`, `${one}, but multiple fields are set`))
  if (spec?.sharedCounters !== undefined && spec.devices !== undefined)
    errors.push(invalid('spec', '', 'only one of `sharedCounters` or `devices` is allowed'))
  const names = new Set<string>()
  if ((spec?.devices ?? []).length > maxDevices) errors.push(tooMany('spec.devices', spec!.devices!.length, maxDevices))
  for (const [index, { name = '', attributes = {}, capacity = {}, allowMultipleAllocations }] of (spec?.devices ?? []).entries()) {
    if (!allowMultipleAllocations)
      for (const [key, { requestPolicy }] of Object.entries(capacity))
        if (requestPolicy !== undefined)
          errors.push(forbidden(`spec.devices[${index}].capacity[${key}].requestPolicy`, 'allowMultipleAllocations must be true'))
    const path = `spec.devices[${index}].name`
    for (const [key, attribute] of Object.entries(attributes))
      addAttributeErrors(errors, attribute, `spec.devices[${index}].attributes[${key}]`)
    if (name === '') errors.push(required(path, ''))
    else for (const message of isDns1123Label(name)) errors.push(invalid(path, name, message))
    if (names.has(name)) errors.push(duplicate(`spec.devices[${index}]`, name))
    names.add(name)
  }
  return errors
}

type Attribute = NonNullable<NonNullable<Spec['devices']>[number]['attributes']>[string]

const maxDevices = 128
const maxValue = 64
const semanticVersion = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/

function addAttributeErrors(errors: FieldError[], attribute: Attribute, path: string): void {
  const { string: text, version } = attribute
  if (text !== undefined && byteLength(text) > maxValue) errors.push(tooLong(`${path}.string`, maxValue))
  if (version !== undefined && !semanticVersion.test(version))
    errors.push(invalid(`${path}.version`, version, 'must be a string compatible with semver.org spec 2.0.0'))
  if (version !== undefined && byteLength(version) > maxValue) errors.push(tooLong(`${path}.version`, maxValue))
  const values = Object.values(attribute).filter((value) => value !== undefined)
  if (values.length !== 1) errors.push(invalid(path, values.length === 0 ? '' : attribute, 'exactly one value must be specified'))
}

function addPoolErrors(errors: FieldError[], { name = '', generation = 0, resourceSliceCount = 0 }: Spec['pool'], path: string): void {
  errors.push(...validatePoolName(name, `${path}.name`))
  if (resourceSliceCount <= 0) errors.push(invalid(`${path}.resourceSliceCount`, resourceSliceCount, 'must be greater than zero'))
  if (generation < 0) errors.push(invalid(`${path}.generation`, generation, 'must be greater than or equal to zero'))
}

// The name of a pool of devices: DNS subdomains, separated by slashes.
// Kubernetes: pkg/apis/resource/validation.validatePoolName
const maxPoolName = 253

export function validatePoolName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, '')]
  const parts = name.split('/').flatMap((part) => isDns1123Subdomain(part).map((message) => invalid(path, part, message)))
  return byteLength(name) > maxPoolName ? [tooLong(path, maxPoolName), ...parts] : parts
}

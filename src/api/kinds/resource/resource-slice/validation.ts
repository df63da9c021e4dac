import { duplicate, type FieldError, invalid, required, tooLong } from '../../../machinery/field-error.ts'
import { byteLength, isDns1123Label, isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import { validateDriverName } from '../../../machinery/validation/names-in-fields.ts'
import type { ResourceSlice } from '../../../types.ts'

type Spec = NonNullable<ResourceSlice['spec']>

const maxPoolName = 253

export function validateResourceSlice({ spec }: ResourceSlice): FieldError[] {
  const errors: FieldError[] = []
  errors.push(...validateDriverName(spec?.driver ?? '', 'spec.driver'))
  addPoolErrors(errors, spec?.pool ?? ({} as Spec['pool']), 'spec.pool')
  const node = spec?.nodeName
  if (node !== undefined) {
    if (node === '') errors.push(invalid('spec.nodeName', node, 'must be either unset or set to a non-empty string'))
    else for (const message of isDns1123Subdomain(node)) errors.push(invalid('spec.nodeName', node, message))
  }
  const ways = [
    node !== undefined,
    spec?.nodeSelector !== undefined,
    spec?.allNodes !== undefined,
    spec?.perDeviceNodeSelection !== undefined,
  ]
  if (!ways.includes(true))
    errors.push(required('spec', 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'))
  const names = new Set<string>()
  for (const [index, { name = '', attributes = {} }] of (spec?.devices ?? []).entries()) {
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
  if (name === '') errors.push(required(`${path}.name`, ''))
  else {
    if (byteLength(name) > maxPoolName) errors.push(tooLong(`${path}.name`, maxPoolName))
    for (const part of name.split('/')) for (const message of isDns1123Subdomain(part)) errors.push(invalid(`${path}.name`, part, message))
  }
  if (resourceSliceCount <= 0) errors.push(invalid(`${path}.resourceSliceCount`, resourceSliceCount, 'must be greater than zero'))
  if (generation < 0) errors.push(invalid(`${path}.generation`, generation, 'must be greater than or equal to zero'))
}

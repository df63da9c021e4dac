// Kubernetes: pkg/apis/resource/validation.validateDevice, validateDeviceAttribute, validateDeviceCounterConsumption
// Kubernetes: pkg/apis/resource/validation.validateDeviceBindingParameters
import { isEqualJson } from '../../../../base/json.ts'
import { declared, duplicate, type FieldError, forbidden, invalid, required, tooLong, tooMany } from '../../../machinery/field-error.ts'
import { byteLength, isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import type { resource } from '../../../types.ts'
import { checkNodeSelector } from '../../core/pod/validation/affinity.ts'
import { keyPath, maxAttributeKey, validateCounters, validateLabelName, validateQualifiedName } from '../shared/names.ts'
import { validateDeviceTaint, validateLabelKey } from '../shared/taints.ts'
import { validateRequestPolicy } from './capacity-validation.ts'

type Device = resource.Device

const maxAttributesAndCapacities = 32
const maxAttributeValues = 48
const maxTaints = 16
const maxConsumptions = 2
const maxConsumedCounters = 32
const maxConditions = 4

/** Capacities and taints that did not change are not validated again. */
export function validateDevice(device: Device, before: Device | undefined, hasOwnNodes: boolean, path: string): FieldError[] {
  const { attributes = {}, capacity = {}, taints = [] } = device
  const errors = validateLabelName(device.name ?? '', `${path}.name`)
  const [values, entries] = [Object.keys(attributes).length, Object.keys(attributes).length + Object.keys(capacity).length]
  const tooManyOf = (what: string, most: number) => `the total number of ${what} must not exceed ${most}`
  if (entries > maxAttributesAndCapacities)
    errors.push(invalid(path, entries, tooManyOf('attributes and capacities', maxAttributesAndCapacities)))
  if (values > maxAttributeValues) errors.push(invalid(path, values, tooManyOf('attribute values', maxAttributeValues)))
  for (const [key, attribute] of Object.entries(attributes)) {
    errors.push(...validateQualifiedName(key, `${path}.attributes`))
    addAttributeErrors(errors, attribute, keyPath(`${path}.attributes`, key, maxAttributeKey))
  }
  if (!isEqualJson(before?.capacity, device.capacity)) addCapacityErrors(errors, device, `${path}.capacity`)
  if (!isEqualJson(before?.taints, device.taints)) {
    if (taints.length > maxTaints) errors.push(tooMany(`${path}.taints`, taints.length, maxTaints))
    else for (const [index, taint] of taints.entries()) errors.push(...validateDeviceTaint(taint, undefined, `${path}.taints[${index}]`))
  }
  addConsumptionErrors(errors, device.consumesCounters ?? [], `${path}.consumesCounters`)
  if (hasOwnNodes) addNodeErrors(errors, device, path)
  else if (device.nodeName !== undefined || device.nodeSelector !== undefined || device.allNodes !== undefined)
    errors.push(
      invalid(
        path,
        null,
        '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      ),
    )
  errors.push(...validateBindingConditions(device, path))
  return errors
}

const maxValue = 64
const preRelease = String.raw`(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`
const build = '[0-9a-zA-Z-]+'
const semanticVersion = new RegExp(
  String.raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-${preRelease}(\.${preRelease})*)?(\+${build}(\.${build})*)?$`,
)

function addAttributeErrors(errors: FieldError[], attribute: resource.DeviceAttribute, path: string): void {
  const { string: text, version } = attribute
  if (text !== undefined && byteLength(text) > maxValue) errors.push(tooLong(`${path}.string`, maxValue))
  if (version !== undefined && !semanticVersion.test(version))
    errors.push(invalid(`${path}.version`, version, 'must be a string compatible with semver.org spec 2.0.0'))
  if (version !== undefined && byteLength(version) > maxValue) errors.push(tooLong(`${path}.version`, maxValue))
  const fields = Object.entries(attribute).filter(([, value]) => value !== undefined)
  const members = '`int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`'
  if (fields.length === 0) errors.push(declared(invalid(path, '', `must specify one of: ${members}`)))
  else if (fields.length > 1) {
    const names = fields.map(([name]) => name)
    errors.push(declared(invalid(path, `{${names.join(', ')}}`, `must specify exactly one of: ${members}`)))
  }
}

function addCapacityErrors(errors: FieldError[], { capacity = {}, allowMultipleAllocations }: Device, path: string): void {
  for (const [key, { value = '0', requestPolicy }] of Object.entries(capacity)) {
    errors.push(...validateQualifiedName(key, path))
    if (requestPolicy === undefined) continue
    const at = `${keyPath(path, key, maxAttributeKey)}.requestPolicy`
    if (allowMultipleAllocations) errors.push(...validateRequestPolicy(value, requestPolicy, at))
    else errors.push(forbidden(at, 'allowMultipleAllocations must be true'))
  }
}

function addConsumptionErrors(errors: FieldError[], consumptions: readonly resource.DeviceCounterConsumption[], path: string): void {
  if (consumptions.length > maxConsumptions) {
    errors.push(declared(tooMany(path, consumptions.length, maxConsumptions)))
    return
  }
  for (const [index, one] of consumptions.entries())
    if (consumptions.findIndex(({ counterSet = '' }) => counterSet === (one.counterSet ?? '')) < index)
      errors.push(declared(duplicate(`${path}[${index}]`, one)))
  for (const [index, { counterSet = '', counters = {} }] of consumptions.entries()) {
    const at = `${path}[${index}]`
    const name = `${at}.counterSet`
    errors.push(...(counterSet === '' ? [required(name, '')] : validateLabelName(counterSet, name)).map(declared))
    errors.push(...validateCounters(counters, maxConsumedCounters, `${at}.counters`))
  }
}

function addNodeErrors(errors: FieldError[], { nodeName, nodeSelector, allNodes }: Device, path: string): void {
  if (nodeName === '') errors.push(invalid(`${path}.nodeName`, nodeName, 'must not be empty'))
  else if (nodeName !== undefined)
    for (const message of isDns1123Subdomain(nodeName)) errors.push(invalid(`${path}.nodeName`, nodeName, message))
  if (nodeSelector !== undefined) checkNodeSelector(errors, nodeSelector, () => `${path}.nodeSelector`, false)
  if (allNodes === false) errors.push(invalid(`${path}.allNodes`, allNodes, 'must be either unset or set to true'))
  const ways = Object.entries({ nodeName, nodeSelector, allNodes }).flatMap(([name, value]) => (value ? [`\`${name}\``] : []))
  const one =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec'
  if (ways.length === 0) errors.push(required(path, one))
  if (ways.length > 1) errors.push(invalid(path, `{${ways.join(', ')}}`, one))
}

interface BindingConditions {
  readonly bindingConditions?: readonly string[]
  readonly bindingFailureConditions?: readonly string[]
}

/** Both lists or none, without a name that occurs twice. */
export function validateBindingConditions(
  { bindingConditions = [], bindingFailureConditions = [] }: BindingConditions,
  path: string,
): FieldError[] {
  const lists = Object.entries({ bindingConditions, bindingFailureConditions })
  const errors = lists.flatMap(([field, names]) =>
    names.length > maxConditions
      ? [declared(tooMany(`${path}.${field}`, names.length, maxConditions))]
      : names.flatMap((name, index) => validateLabelKey(name, `${path}.${field}[${index}]`)),
  )
  for (const [field, names] of lists)
    for (const [index, name] of names.entries()) {
      const at = `${path}.${field}[${index}]`
      if (names.indexOf(name) < index) errors.push(duplicate(at, name))
      if (names === bindingFailureConditions && bindingConditions.includes(name))
        errors.push(invalid(at, name, 'bindingFailureConditions must not overlap with bindingConditions'))
    }
  const needs = (field: string, other: string) => invalid(`${path}.${field}`, null, `${field} are required to use ${other}`)
  if (bindingConditions.length === 0 && bindingFailureConditions.length > 0)
    errors.push(needs('bindingConditions', 'bindingFailureConditions'))
  if (bindingFailureConditions.length === 0 && bindingConditions.length > 0)
    errors.push(needs('bindingFailureConditions', 'bindingConditions'))
  return errors
}

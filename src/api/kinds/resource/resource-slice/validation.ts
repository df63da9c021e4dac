// Kubernetes: pkg/apis/resource/validation.ValidateResourceSlice, ValidateResourceSliceUpdate, validateResourceSliceSpec, validateResourcePool
// Kubernetes: pkg/apis/resource/validation.validateCounterSet
import { declared, duplicate, type FieldError, invalid, required, tooMany } from '../../../machinery/field-error.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import { validateDriverName } from '../../../machinery/validation/names-in-fields.ts'
import type { ResourceSlice, resource } from '../../../types.ts'
import { checkNodeSelector } from '../../core/pod/validation/affinity.ts'
import { validateCounters, validateLabelName, validatePoolName } from '../shared/names.ts'
import { validateDevice } from './device-validation.ts'

type Spec = NonNullable<ResourceSlice['spec']>

const maxDevices = 128
/** With taints or counters. */
const maxAdvancedDevices = 64
const maxCounterSets = 8
const maxCounters = 32

export const validateResourceSlice = ({ spec }: ResourceSlice): FieldError[] => validateSpec((spec ?? {}) as Spec, undefined)

export function validateResourceSliceUpdate(next: ResourceSlice, current: ResourceSlice): FieldError[] {
  const kept = [
    ['pool.name', next.spec?.pool?.name, current.spec?.pool?.name],
    ['driver', next.spec?.driver, current.spec?.driver],
    ['nodeName', next.spec?.nodeName, current.spec?.nodeName],
  ] as const
  return validateSpec((next.spec ?? {}) as Spec, current.spec, () =>
    kept.flatMap(([field, value, before]) => (value === before ? [] : [invalid(`spec.${field}`, value ?? null, immutableMessage)])),
  )
}

function validateSpec(spec: Spec, before: ResourceSlice['spec'] | undefined, immutable: () => FieldError[] = () => []): FieldError[] {
  const errors = validateDriverName(spec.driver ?? '', 'spec.driver')
  addPoolErrors(errors, spec.pool ?? ({} as Spec['pool']), 'spec.pool')
  errors.push(...immutable())
  addNodeErrors(errors, spec)
  if (spec.sharedCounters !== undefined && spec.devices !== undefined)
    errors.push(invalid('spec', '', 'only one of `sharedCounters` or `devices` is allowed'))
  addDeviceErrors(errors, spec, before)
  addCounterSetErrors(errors, spec.sharedCounters ?? [], 'spec.sharedCounters')
  return errors
}

function addNodeErrors(errors: FieldError[], { nodeName, nodeSelector, allNodes, perDeviceNodeSelection }: Spec): void {
  if (nodeName === '') errors.push(invalid('spec.nodeName', nodeName, 'must be either unset or set to a non-empty string'))
  else if (nodeName !== undefined)
    for (const message of isDns1123Subdomain(nodeName)) errors.push(invalid('spec.nodeName', nodeName, message))
  if (nodeSelector !== undefined) {
    checkNodeSelector(errors, nodeSelector, () => 'spec.nodeSelector', false)
    const { nodeSelectorTerms: terms } = nodeSelector
    if (terms?.length !== 1)
      errors.push(invalid('spec.nodeSelector.nodeSelectorTerms', terms ?? null, 'must have exactly one node selector term'))
  }
  for (const [field, value] of Object.entries({ allNodes, perDeviceNodeSelection }))
    if (value === false) errors.push(invalid(`spec.${field}`, false, 'must be either unset or set to true'))
  const ways = Object.entries({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection }).flatMap(([name, value]) =>
    value ? [`\`${name}\``] : [],
  )
  const one = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'
  if (ways.length === 0) errors.push(required('spec', one))
  if (ways.length > 1) errors.push(invalid('spec', `{${ways.join(', ')}}`, `${one}, but multiple fields are set`))
}

function addPoolErrors(errors: FieldError[], { name = '', generation = 0, resourceSliceCount = 0 }: Spec['pool'], path: string): void {
  errors.push(...validatePoolName(name, `${path}.name`))
  if (resourceSliceCount <= 0) errors.push(invalid(`${path}.resourceSliceCount`, resourceSliceCount, 'must be greater than zero'))
  if (generation < 0) errors.push(invalid(`${path}.generation`, generation, 'must be greater than or equal to zero'))
}

function addDeviceErrors(
  errors: FieldError[],
  { devices = [], perDeviceNodeSelection }: Spec,
  before: ResourceSlice['spec'] | undefined,
): void {
  const isAdvanced = devices.some(({ taints, consumesCounters }) => taints?.length || consumesCounters?.length)
  const most = isAdvanced ? maxAdvancedDevices : maxDevices
  if (devices.length > most) {
    errors.push(tooMany('spec.devices', devices.length, most))
    return
  }
  const known = new Map((before?.devices ?? []).map((device) => [device.name, device]))
  for (const [index, device] of devices.entries())
    errors.push(...validateDevice(device, known.get(device.name), perDeviceNodeSelection === true, `spec.devices[${index}]`))
  const names = new Set<string>()
  for (const [index, { name = '' }] of devices.entries()) {
    if (names.has(name)) errors.push(duplicate(`spec.devices[${index}]`, name))
    names.add(name)
  }
}

function addCounterSetErrors(errors: FieldError[], sets: readonly resource.CounterSet[], path: string): void {
  if (sets.length > maxCounterSets) {
    errors.push(declared(tooMany(path, sets.length, maxCounterSets)))
    return
  }
  for (const [index, set] of sets.entries())
    if (sets.findIndex(({ name = '' }) => name === (set.name ?? '')) < index) errors.push(declared(duplicate(`${path}[${index}]`, set)))
  for (const [index, { name = '', counters = {} }] of sets.entries()) {
    const at = `${path}[${index}]`
    errors.push(...(name === '' ? [required(`${at}.name`, '')] : validateLabelName(name, `${at}.name`)).map(declared))
    errors.push(...validateCounters(counters, maxCounters, `${at}.counters`))
  }
}

import { duplicate, type FieldError, forbidden, invalid } from '../../../machinery/field-error.ts'
import { goQuote } from '../../../machinery/go-text.ts'
import { addEnumErrors } from '../../../machinery/validation/enums.ts'
import { isCidr, parseIp } from '../../../machinery/validation/ip-address.ts'
import { byteLength, isQualifiedName, isValidLabelValue } from '../../../machinery/validation/names.ts'
import { validateResourceQuantity } from '../../../machinery/validation/resources.ts'
import { shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { Node } from '../../../types.ts'

type NodeSpec = NonNullable<Node['spec']>

export function validateNode(node: Node): FieldError[] {
  const errors: FieldError[] = []
  addTaintErrors(errors, node.spec?.taints)
  addResourceErrors(errors, node)
  addFeatureErrors(errors, node)
  addPodCidrErrors(errors, node.spec?.podCIDRs ?? [])
  return errors
}

/** Kubernetes validates the node as a whole, and then some fields again as an update. */
export function validateNodeUpdate(next: Node, current: Node): FieldError[] {
  return [...validateNode(next), ...validateChange(next, current)]
}

export function validateNodeStatusUpdate(next: Node, current: Node): FieldError[] {
  return validateChange(next, current)
}

function validateChange(next: Node, current: Node): FieldError[] {
  const errors: FieldError[] = []
  addResourceErrors(errors, next)
  addFeatureErrors(errors, next)
  addAddressErrors(errors, next)
  const { spec: old = {} } = current
  const { spec = {} } = next
  const before = old.podCIDRs ?? []
  const after = spec.podCIDRs ?? []
  const cidrChange = forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid')
  if (before.length > 0 && before.length !== after.length) errors.push(cidrChange)
  else for (const [index, value] of before.entries()) if (value !== after[index]) errors.push(cidrChange)
  if (old.providerID && old.providerID !== spec.providerID)
    errors.push(forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'))
  addTaintErrors(errors, spec.taints)
  if ((spec.externalID ?? '') !== (old.externalID ?? '')) errors.push(forbidden('spec.externalID', 'may not be updated'))
  return errors
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Kubernetes reports taints under metadata, where they were in early versions. */
function addTaintErrors(errors: FieldError[], taints: NodeSpec['taints'] = []): void {
  const seen = new Set<string>()
  for (const [index, taint] of taints.entries()) {
    const path = `metadata.taints[${index}]`
    const { key = '', value = '', effect } = taint
    for (const message of isQualifiedName(key)) errors.push(invalid(`${path}.key`, key, message))
    const wrong = isValidLabelValue(value)
    if (wrong.length > 0) errors.push(invalid(`${path}.value`, value, wrong.join(';')))
    addEnumErrors(errors, effect, effects, () => `${path}.effect`)
    const pair = `${effect}/${key}`
    if (seen.has(pair))
      errors.push({ ...duplicate(path, shownStruct('core.Taint', taint)), detail: 'taints must be unique by key and effect pair' })
    seen.add(pair)
  }
}

function addResourceErrors(errors: FieldError[], { status }: Node): void {
  for (const field of ['capacity', 'allocatable'] as const)
    for (const [name, quantity] of Object.entries(status?.[field] ?? {}))
      errors.push(...validateResourceQuantity(name, quantity, `status.${field}.${name}`))
}

const featurePattern = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/
const featureForm =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"

// Kubernetes: pkg/apis/core/validation.validateNodeDeclaredFeatures
function addFeatureErrors(errors: FieldError[], { status }: Node): void {
  const declaredFeatures = status?.declaredFeatures ?? []
  for (const [index, feature] of declaredFeatures.entries()) {
    const path = `status.declaredFeatures[${index}]`
    const before = declaredFeatures[index - 1]
    if (before === feature) errors.push(duplicate(path, feature))
    else if (before !== undefined && before > feature) errors.push(invalid(path, feature, 'list must be sorted alphabetically'))
    const problem =
      byteLength(feature) > 253 ? 'must be no more than 253 characters' : featurePattern.test(feature) ? undefined : featureForm
    if (problem !== undefined) errors.push(invalid(path, feature, `invalid feature name ${goQuote(feature)}: ${problem}`))
  }
}

function addAddressErrors(errors: FieldError[], { status }: Node): void {
  const seen = new Set<string>()
  for (const [index, address] of (status?.addresses ?? []).entries()) {
    const text = JSON.stringify([address.type, address.address])
    if (seen.has(text)) errors.push(duplicate(`status.addresses[${index}]`, shownStruct('core.NodeAddress', address)))
    seen.add(text)
  }
}

function addPodCidrErrors(errors: FieldError[], cidrs: readonly string[]): void {
  for (const [index, cidr] of cidrs.entries())
    for (const message of isCidr(cidr)) errors.push(invalid(`spec.podCIDRs[${index}]`, cidr, message))
  if (cidrs.length < 2) return
  const unreadable = cidrs.findIndex((cidr) => isCidr(cidr).length > 0)
  if (unreadable >= 0) {
    const why = `invalid CIDR[${unreadable}]: <nil> (invalid CIDR address: ${cidrs[unreadable]})`
    errors.push({
      type: 'InternalError',
      field: 'spec.podCIDRs',
      detail: `invalid PodCIDRs. failed to check with dual stack with error:${why}`,
    })
  }
  const families = new Set(cidrs.map((cidr) => parseIp(cidr.slice(0, cidr.indexOf('/')))?.family))
  if (unreadable >= 0 || families.size < 2 || cidrs.length > 2)
    errors.push(invalid('spec.podCIDRs', cidrs, 'may specify no more than one CIDR for each IP family'))
}

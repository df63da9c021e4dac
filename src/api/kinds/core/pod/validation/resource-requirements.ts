// Kubernetes: pkg/apis/core/validation.ValidateContainerResourceRequirements, validatePodResourceRequirements
// Kubernetes: pkg/apis/core/validation.validateResourceRequirements, validateResourceClaimNames
// Kubernetes: pkg/apis/core/validation.validateResourceQuantityHugePageValue
import { compareQuantities, formatQuantity, type Quantity } from '../../../../../base/quantity.ts'
import {
  type At,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  typed,
} from '../../../../machinery/field-error.ts'
import { isDns1123Label } from '../../../../machinery/validation/names.ts'
import {
  checkContainerResourceName,
  checkQuantity,
  checkResourceName,
  isHugePageDivisible,
  isHugePageResource,
  isOvercommitAllowed,
  quantityOf,
} from '../../../../machinery/validation/resources.ts'
import type { PodSpec, ResourceRequirements } from '../../../../types.ts'
import { totals } from '../resources.ts'
import type { PodFacts } from './facts.ts'

type NameRule = (errors: FieldError[], name: string, at: At) => void

function checkPodResourceName(errors: FieldError[], name: string, at: At): void {
  if (name === 'cpu' || name === 'memory') return
  const before = errors.length
  checkResourceName(errors, name, at)
  if (errors.length === before && !isHugePageResource(name)) errors.push(notSupported(at(), typed(name), ['cpu', 'hugepages-', 'memory']))
}

const noNames: ReadonlySet<string> = new Set()

export function checkResourceRequirements(errors: FieldError[], resources: ResourceRequirements, at: At, options: ResourceOptions): void {
  const { limits, requests, claims } = resources
  const checkName: NameRule = options.names === 'pod' ? checkPodResourceName : checkContainerResourceName
  let hasHugePages = false
  let hasCpuOrMemory = false
  const checkAmount = (name: string, quantity: Quantity, where: At) => {
    if (name === 'cpu' || name === 'memory') hasCpuOrMemory = true
    else if (isHugePageResource(name)) {
      hasHugePages = true
      if (options.allowIndivisibleHugePagesValues !== true && !isHugePageDivisible(name, quantity)) {
        const text = formatQuantity(quantity)
        errors.push(invalid(where(), text, `${text} is not positive integer multiple of ${name}`))
      }
    }
  }
  if (limits)
    for (const name of Object.keys(limits)) {
      const where = () => `${at()}.limits[${name}]`
      const quantity = quantityOf(limits[name]!)
      checkName(errors, name, where)
      checkQuantity(errors, name, quantity, where)
      checkAmount(name, quantity, where)
    }
  if (requests)
    for (const name of Object.keys(requests)) {
      const where = () => `${at()}.requests[${name}]`
      const quantity = quantityOf(requests[name]!)
      checkName(errors, name, where)
      checkQuantity(errors, name, quantity, where)
      if (limits && Object.hasOwn(limits, name)) checkRequestAgainstLimit(errors, name, quantity, quantityOf(limits[name]!), at)
      else if (!isOvercommitAllowed(name)) errors.push(required(`${at()}.limits`, 'Limit must be set for non overcommitable resources'))
      checkAmount(name, quantity, where)
    }
  if (hasHugePages && !hasCpuOrMemory) errors.push(forbidden(at(), 'HugePages require cpu or memory'))
  if (claims && claims.length > 0) checkClaims(errors, claims, at, options.claimNames ?? noNames)
}

function checkRequestAgainstLimit(errors: FieldError[], name: string, request: Quantity, limit: Quantity, at: At): void {
  const order = compareQuantities(request, limit)
  if (order === 0 || (order < 0 && isOvercommitAllowed(name))) return
  const relation = isOvercommitAllowed(name) ? 'less than or equal to' : 'equal to'
  errors.push(invalid(`${at()}.requests`, formatQuantity(request), `must be ${relation} ${name} limit of ${formatQuantity(limit)}`))
}

function checkClaims(
  errors: FieldError[],
  claims: NonNullable<ResourceRequirements['claims']>,
  at: At,
  claimNames: ReadonlySet<string>,
): void {
  const seen = new Set<string>()
  // Claims of which a request was listed before.
  const takenInPart = new Map<string, number>()
  for (const [index, { name, request }] of claims.entries()) {
    const where = () => `${at()}.claims[${index}]`
    if (!name) {
      errors.push(required(where(), ''))
      continue
    }
    if (seen.has(name)) errors.push(duplicate(where(), name))
    else {
      if (request) for (const problem of isDns1123Label(request)) errors.push(invalid(`${where()}.request`, request, problem))
      const key = request ? `${name}/${request}` : name
      if (seen.has(key)) errors.push(duplicate(where(), key))
      else if (!request) for (let taken = takenInPart.get(name) ?? 0; taken > 0; taken--) errors.push(duplicate(where(), name))
      else takenInPart.set(name, (takenInPart.get(name) ?? 0) + 1)
      seen.add(key)
    }
    if (!claimNames.has(name)) {
      const all = claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`
      errors.push({
        type: 'FieldValueNotFound',
        field: where(),
        value: name,
        detail: `must be one of the names in pod.spec.resourceClaims${all}`,
      })
    }
  }
}

interface ResourceOptions {
  /** The rule for names. Default `container`. */
  readonly names?: 'container' | 'pod'
  /** Names in the pod's spec.resourceClaims. */
  readonly claimNames?: ReadonlySet<string>
  readonly allowIndivisibleHugePagesValues?: boolean
}

// Pod-level resources, which limit the sum of the containers.
// Kubernetes: pkg/apis/core/validation.validatePodResources, validatePodResourceConsistency
export function checkPodResources(errors: FieldError[], spec: PodSpec, resources: ResourceRequirements, at: At, facts: PodFacts): void {
  if (spec.os?.name === 'windows') {
    errors.push(forbidden(at(), 'may not be set for a windows pod'))
    return
  }
  if (resources.claims) errors.push(forbidden(`${at()}.claims`, 'claims may not be set for Resources at pod-level'))
  checkResourceRequirements(errors, resources, at, {
    names: 'pod',
    claimNames: facts.claimNames,
    allowIndivisibleHugePagesValues: facts.options.allowIndivisibleHugePagesValues === true,
  })
  const { requests = {}, limits = {} } = resources
  const checkTotal = (which: 'requests' | 'limits', isChecked: (name: string) => boolean) => {
    const wanted = which === 'requests' ? requests : limits
    for (const [name, total] of totals(spec, which)) {
      if (!isChecked(name) || !Object.hasOwn(wanted, name)) continue
      const own = quantityOf(wanted[name]!)
      if (compareQuantities(total, own) <= 0) continue
      const message = `must be greater than or equal to aggregate container ${which} of ${formatQuantity(total)}`
      errors.push(invalid(`${at()}.${which}[${name}]`, formatQuantity(own), message))
    }
  }
  checkTotal('requests', () => true)
  checkTotal('limits', isHugePageResource)
  for (const [index, container] of (spec.containers ?? []).entries())
    for (const [name, text] of Object.entries(container.resources?.limits ?? {})) {
      if (!Object.hasOwn(limits, name)) continue
      const own = quantityOf(limits[name]!)
      const limit = quantityOf(text)
      if (compareQuantities(limit, own) > 0)
        errors.push(
          invalid(
            `${at()}.containers[${index}][${name}].limits`,
            formatQuantity(limit),
            `must be less than or equal to pod limits of ${formatQuantity(own)}`,
          ),
        )
    }
}

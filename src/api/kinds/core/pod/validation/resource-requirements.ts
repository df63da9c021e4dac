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
import type { ResourceRequirements } from '../../../../types.ts'

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

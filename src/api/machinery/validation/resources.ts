// Amounts of resources as containers, pods, limit ranges and quotas name them.
// Kubernetes: pkg/apis/core/validation.validateResourceName, ValidateContainerResourceName, ValidateResourceQuantityValue
// Kubernetes: pkg/apis/core/validation.ValidateNonnegativeQuantity, validateBasicResource
// Kubernetes: pkg/apis/core/helper.IsStandardResourceName, IsExtendedResourceName, IsNativeResource

import { cached } from '../../../base/cached.ts'
import { formatQuantity, isWhole, parseQuantity, type Quantity, wholeValue, zeroQuantity } from '../../../base/quantity.ts'
import { type At, type FieldError, invalid, typed } from '../field-error.ts'
import { isQualifiedName } from './names.ts'

export type ResourceList = Readonly<Record<string, string>>

const standardContainerResources = new Set(['cpu', 'memory', 'ephemeral-storage'])
const integerResources = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
])
const standardResources = new Set([
  ...standardContainerResources,
  ...integerResources,
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'storage',
  'requests.storage',
])

export const isHugePageResource = (name: string) => name.startsWith('hugepages-')
const isQuotaHugePageResource = (name: string) => isHugePageResource(name) || name.startsWith('requests.hugepages-')
/** In Kubernetes' own namespace, as all names without a prefix are. */
export const isNativeResource = (name: string) => !name.includes('/') || name.includes('kubernetes.io/')
export const isOvercommitAllowed = (name: string) => isNativeResource(name) && !isHugePageResource(name)
const isStandardResource = (name: string) => standardResources.has(name) || isQuotaHugePageResource(name)
const isExtendedResource = (name: string) =>
  !isNativeResource(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0
const isIntegerResource = (name: string) => integerResources.has(name) || isExtendedResource(name)

/** The quantity of a text that is known to be one. Few distinct amounts occur in practice. */
export const quantityOf = cached(10_000, (text: string): Quantity => parseQuantity(String(text)) ?? zeroQuantity)

export function checkResourceName(errors: FieldError[], name: string, at: At): void {
  const problems = isQualifiedName(name)
  for (const problem of problems) errors.push(invalid(at(), typed(name), problem))
  if (problems.length === 0 && !name.includes('/') && !isStandardResource(name))
    errors.push(invalid(at(), typed(name), 'must be a standard resource type or fully qualified'))
}

export function checkContainerResourceName(errors: FieldError[], name: string, at: At): void {
  if (standardContainerResources.has(name)) return
  checkResourceName(errors, name, at)
  if (!name.includes('/')) {
    if (!isHugePageResource(name)) errors.push(invalid(at(), typed(name), 'must be a standard resource for containers'))
  } else if (!isNativeResource(name) && !isExtendedResource(name))
    errors.push(invalid(at(), typed(name), "doesn't follow extended resource name standard"))
}

/** The name of any resource, as a limit range for claims may hold. */
export function validateResourceName(name: string, path: string): FieldError[] {
  const errors: FieldError[] = []
  checkResourceName(errors, name, () => path)
  return errors
}

export function validateContainerResourceName(name: string, path: string): FieldError[] {
  const errors: FieldError[] = []
  checkContainerResourceName(errors, name, () => path)
  return errors
}

/** Not negative, and whole where the resource is counted. */
export function validateResourceQuantity(name: string, quantity: string, path: string): FieldError[] {
  const errors: FieldError[] = []
  checkQuantity(errors, name, quantityOf(quantity), () => path)
  return errors
}

export function checkQuantity(errors: FieldError[], name: string, quantity: Quantity, at: At): void {
  if (quantity.nano < 0n) errors.push(invalid(at(), formatQuantity(quantity), 'must be greater than or equal to 0'))
  if (!isCountable(quantity) && isIntegerResource(name)) errors.push(invalid(at(), typed(formatQuantity(quantity)), 'must be an integer'))
}

const maxThousandths = 2n ** 63n - 1n
const maxDigits = 18

/** Whether Kubernetes considers the amount whole. It counts thousandths in 64 bits, and larger amounts overflow. */
export function isCountable(quantity: Quantity): boolean {
  const { nano, format } = quantity
  if (!isWhole(quantity)) return false
  const thousandths = nano / 1_000_000n
  if (thousandths <= maxThousandths) return true
  const isShort = format !== 'BinarySI' && String(nano).replace(/0+$/, '').length <= maxDigits
  return isShort || BigInt.asIntN(64, thousandths) % 1000n === 0n
}

/** Whether the amount is a multiple of the page size in the resource's name. */
export function isHugePageDivisible(name: string, quantity: Quantity): boolean {
  const size = parseQuantity(name.slice('hugepages-'.length))
  if (size === undefined || size.nano <= 0n || !isWhole(size)) return false
  return BigInt(wholeValue(quantity)) % BigInt(wholeValue(size)) === 0n
}

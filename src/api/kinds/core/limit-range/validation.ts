// LimitRanges: for each resource, minimum, defaults and maximum must be in order.
// Kubernetes: pkg/apis/core/validation.ValidateLimitRange, validateLimitRangeTypeName, validateLimitRangeResourceName
import { compareQuantities, formatQuantity, milliValue, type Quantity } from '../../../../base/quantity.ts'
import { duplicate, type FieldError, forbidden, invalid, required, typed } from '../../../machinery/field-error.ts'
import { isQualifiedName } from '../../../machinery/validation/names.ts'
import {
  isHugePageResource,
  isNativeResource,
  quantityOf,
  validateContainerResourceName,
  validateResourceName,
} from '../../../machinery/validation/resources.ts'
import type { LimitRange } from '../../../types.ts'

type Amounts = Readonly<Record<string, string>>
type Limit = NonNullable<LimitRange['spec']>['limits'][number]

const types = ['Pod', 'Container', 'PersistentVolumeClaim']

export function validateLimitRange({ spec }: LimitRange): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, limit] of (spec?.limits ?? []).entries()) {
    const path = `spec.limits[${index}]`
    const type = limit.type ?? ''
    const messages = isQualifiedName(type)
    for (const message of messages) errors.push(invalid(`${path}.type`, typed(type), message))
    if (messages.length === 0 && !type.includes('/') && !types.includes(type))
      errors.push(invalid(`${path}.type`, typed(type), 'must be a standard limit type or fully qualified'))
    if (seen.has(type)) errors.push(duplicate(`${path}.type`, typed(type)))
    seen.add(type)
    addLimitErrors(errors, limit, path)
  }
  return errors
}

function addLimitErrors(errors: FieldError[], limit: Limit, path: string): void {
  const names = new Set<string>()
  const isContainer = limit.type === 'Pod' || limit.type === 'Container'
  const read = (field: 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio') => {
    for (const name of Object.keys(limit[field] ?? {})) {
      errors.push(...(isContainer ? validateContainerResourceName : validateResourceName)(name, `${path}.${field}[${name}]`))
      names.add(name)
    }
  }
  read('max')
  read('min')
  if (limit.type === 'Pod') {
    for (const field of ['default', 'defaultRequest'] as const)
      if (Object.keys(limit[field] ?? {}).length > 0)
        errors.push(forbidden(`${path}.${field}`, "may not be specified when `type` is 'Pod'"))
  } else {
    read('default')
    read('defaultRequest')
  }
  const hasStorage = (amounts: Amounts | undefined) => amounts !== undefined && Object.hasOwn(amounts, 'storage')
  if (limit.type === 'PersistentVolumeClaim' && !hasStorage(limit.min) && !hasStorage(limit.max))
    errors.push(required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided'))
  read('maxLimitRequestRatio')
  for (const name of names) addOrderErrors(errors, limit, name, path)
}

function addOrderErrors(errors: FieldError[], limit: Limit, name: string, path: string): void {
  const read = (amounts: Amounts | undefined): Quantity | undefined =>
    amounts !== undefined && Object.hasOwn(amounts, name) ? quantityOf(amounts[name] ?? '0') : undefined
  const isPod = limit.type === 'Pod'
  const least = read(limit.min)
  const most = read(limit.max)
  const assumed = isPod ? undefined : read(limit.default)
  const request = isPod ? undefined : read(limit.defaultRequest)
  const ratio = read(limit.maxLimitRequestRatio)
  const isAbove = (one: Quantity | undefined, other: Quantity | undefined): boolean =>
    one !== undefined && other !== undefined && compareQuantities(one, other) > 0
  const text = (quantity: Quantity | undefined) => (quantity === undefined ? '' : formatQuantity(quantity))
  const wrong = (field: string, value: Quantity | undefined, detail: string) =>
    errors.push(invalid(`${path}.${field}[${name}]`, typed(text(value)), detail))
  if (isAbove(least, most)) wrong('min', least, `min value ${text(least)} is greater than max value ${text(most)}`)
  if (isAbove(least, request))
    wrong('defaultRequest', request, `min value ${text(least)} is greater than default request value ${text(request)}`)
  if (isAbove(request, most))
    wrong('defaultRequest', request, `default request value ${text(request)} is greater than max value ${text(most)}`)
  if (isAbove(request, assumed))
    wrong('defaultRequest', request, `default request value ${text(request)} is greater than default limit value ${text(assumed)}`)
  if (isAbove(least, assumed)) wrong('default', least, `min value ${text(least)} is greater than default value ${text(assumed)}`)
  if (isAbove(assumed, most)) wrong('default', most, `default value ${text(assumed)} is greater than max value ${text(most)}`)
  if (ratio !== undefined && isAbove(quantityOf('1'), ratio)) wrong('maxLimitRequestRatio', ratio, `ratio ${text(ratio)} is less than 1`)
  if (ratio !== undefined && least !== undefined && most !== undefined) {
    const largest = milliValue(most) / milliValue(least)
    if (milliValue(ratio) / 1000 > largest)
      wrong('maxLimitRequestRatio', ratio, `ratio ${text(ratio)} is greater than max/min = ${largest.toFixed(6)}`)
  }
  const isCountedOnce = !isNativeResource(name) || isHugePageResource(name)
  if (isCountedOnce && assumed !== undefined && request !== undefined && compareQuantities(assumed, request) !== 0)
    wrong('defaultRequest', request, `default value ${text(assumed)} must equal to defaultRequest value ${text(request)} in ${name}`)
}

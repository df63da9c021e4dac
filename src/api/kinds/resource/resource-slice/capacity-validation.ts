// Which amounts of a shared capacity may be requested: some values, or a range with steps.
// Kubernetes: pkg/apis/resource/validation.validateRequestPolicy, validateValidRequestValues, validateRequestPolicyValidValues
// Kubernetes: pkg/apis/resource/validation.validateRequestPolicyRange, validateRequestPolicyRangeStep
import { addQuantities, compareQuantities, formatQuantity, isWhole, type Quantity } from '../../../../base/quantity.ts'
import { duplicate, type FieldError, forbidden, invalid, required, tooMany } from '../../../machinery/field-error.ts'
import { quantityOf } from '../../../machinery/validation/resources.ts'
import type { resource } from '../../../types.ts'

const maxValues = 10

export function validateRequestPolicy(capacity: string, policy: resource.CapacityRequestPolicy, path: string): FieldError[] {
  const { validValues = [], validRange, default: usual } = policy
  if (validValues.length > 0 && validRange !== undefined)
    return [forbidden(path, 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time')]
  const field = validValues.length > 0 ? 'validValues' : 'validRange'
  if (validValues.length === 0 && validRange === undefined) return []
  if (usual === undefined || usual === null) return [required(`${path}.default`, `required when ${field} is defined`)]
  const [most, byDefault] = [quantityOf(capacity), quantityOf(usual)]
  return validRange === undefined
    ? validateValues(validValues, most, byDefault, `${path}.validValues`)
    : validateRange(validRange, most, byDefault, `${path}.validRange`)
}

const shown = (quantity: Quantity) => formatQuantity(quantity)

function validateValues(values: readonly string[], most: Quantity, byDefault: Quantity, path: string): FieldError[] {
  const all = values.map((value) => quantityOf(value))
  const errors = all.flatMap((value, index) =>
    index > 0 && compareQuantities(all[index - 1]!, value) > 0
      ? [invalid(`${path}[${index}]`, shown(value), 'values must be sorted in ascending order')]
      : [],
  )
  if (all.length > maxValues) errors.push(tooMany(path, all.length, maxValues))
  else {
    for (const [index, value] of all.entries())
      if (compareQuantities(value, most) > 0)
        errors.push(invalid(`${path}[${index}]`, shown(value), `option is larger than capacity value: ${shown(most)}`))
    for (const [index, value] of all.entries())
      if (all.findIndex((other) => other.nano === value.nano) < index) errors.push(duplicate(`${path}[${index}]`, shown(value)))
  }
  if (!all.some((value) => value.nano === byDefault.nano) || all.length > maxValues)
    errors.push(invalid(path, shown(byDefault), 'default value is not valid according to the requestPolicy'))
  return errors
}

function validateRange(range: resource.CapacityRequestPolicyRange, most: Quantity, byDefault: Quantity, path: string): FieldError[] {
  if (range.min === undefined) return [required(`${path}.min`, 'required when validRange is defined')]
  const least = quantityOf(range.min)
  const upper = range.max === undefined ? undefined : quantityOf(range.max)
  const step = range.step === undefined ? undefined : quantityOf(range.step)
  const errors: FieldError[] = []
  const wrong = (field: string, value: Quantity, detail: string) => errors.push(invalid(`${path}.${field}`, shown(value), detail))
  if (compareQuantities(least, most) > 0) wrong('min', least, `min is larger than capacity value: ${shown(most)}`)
  if (compareQuantities(byDefault, least) < 0) wrong('default', byDefault, `default is less than min: ${shown(least)}`)
  if (upper !== undefined) {
    if (compareQuantities(least, upper) > 0) wrong('max', least, `min is larger than max: ${shown(upper)}`)
    if (compareQuantities(upper, most) > 0) wrong('max', upper, `max is larger than capacity value: ${shown(most)}`)
    if (compareQuantities(byDefault, upper) > 0) wrong('default', byDefault, `default is more than max: ${shown(upper)}`)
  }
  const used = { default: byDefault, min: least, ...(upper && { max: upper }), ...(step && { step }) }
  const isFractional = Object.values(used).some((value) => !isWhole(value))
  if (isFractional) {
    const before = errors.length
    for (const [field, value] of Object.entries(used))
      if (value.nano % 1_000_000n !== 0n) wrong(field, value, 'value cannot be represented as a milli value')
    if (errors.length > before) return errors
  }
  if (step === undefined) return errors
  if (step.nano <= 0n) {
    wrong('step', step, 'must be greater than zero')
    return errors
  }
  const second = addQuantities(least, step)
  if (compareQuantities(second, most) > 0) wrong('step', step, `one step ${shown(second)} is larger than capacity value: ${shown(most)}`)
  const negative = isFractional ? [] : Object.entries(used).filter(([, value]) => value.nano < 0n)
  for (const [field, value] of negative) wrong(field, value, 'must be greater than or equal to 0')
  if (negative.length > 0) return errors
  for (const value of upper === undefined ? [byDefault] : [byDefault, upper])
    if ((value.nano - least.nano) % step.nano !== 0n)
      wrong('step', value, `value is not a multiple of a given step (${shown(step)}) from (${shown(least)})`)
  return errors
}

// Taints of devices, and what tolerates them.
// Kubernetes: pkg/apis/resource/validation.validateDeviceTaint, validateDeviceToleration
import { declared, type FieldError, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import { enumOf } from '../../../machinery/validation/enums.ts'
import { isQualifiedName, isValidLabelValue } from '../../../machinery/validation/names.ts'
import type { resource } from '../../../types.ts'

const effects = [...enumOf('resource.DeviceTaint.effect')].sort()

export const validateLabelKey = (key: string, path: string): FieldError[] =>
  isQualifiedName(key).map((message) => invalid(path, key, message))

const validateLabelValue = (value: string, path: string): FieldError[] =>
  isValidLabelValue(value).map((message) => invalid(path, value, message))

/** An effect that did not change is not validated again. */
export function validateDeviceTaint(taint: resource.DeviceTaint, before: resource.DeviceTaint | undefined, path: string): FieldError[] {
  const { key = '', value = '', effect = '' } = taint
  const errors = [...validateLabelKey(key, `${path}.key`), ...(value === '' ? [] : validateLabelValue(value, `${path}.value`))]
  if (before !== undefined && (before.effect ?? '') === effect) return errors
  if (effect === '') errors.push(declared(required(`${path}.effect`, '')))
  else if (!effects.includes(effect)) errors.push(declared(notSupported(`${path}.effect`, typed(effect), effects)))
  return errors
}

export function validateDeviceToleration(toleration: resource.DeviceToleration, path: string): FieldError[] {
  const { key = '', operator = '', value = '', effect = '' } = toleration
  const errors: FieldError[] = []
  if (key !== '') errors.push(...validateLabelKey(key, `${path}.key`).map(declared))
  if (operator === 'Exists') {
    if (value !== '') errors.push(invalid(`${path}.value`, value, 'must be empty for operator `Exists`'))
  } else if (operator === 'Equal' || operator === '') errors.push(...validateLabelValue(value, `${path}.value`))
  else errors.push(declared(notSupported(`${path}.operator`, typed(operator), ['Equal', 'Exists'])))
  if (effect !== '' && !effects.includes(effect)) errors.push(declared(notSupported(`${path}.effect`, typed(effect), effects)))
  return errors
}

// Kubernetes: pkg/apis/core/validation.ValidateTolerations
import { type At, type FieldError, invalid, notSupported, typed } from '../../../../machinery/field-error.ts'
import { goQuote } from '../../../../machinery/go-text.ts'
import { addUnsupported } from '../../../../machinery/validation/enums.ts'
import { isQualifiedName, isValidLabelValue } from '../../../../machinery/validation/names.ts'
import type { PodSpec } from '../../../../types.ts'
import { addProblems, isDecimalInteger } from './names.ts'

export type Toleration = NonNullable<PodSpec['tolerations']>[number]

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

export function checkTolerations(errors: FieldError[], tolerations: readonly Toleration[], at: At, allowComparison: boolean): void {
  for (let index = 0; index < tolerations.length; index++) {
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = tolerations[index]!
    const here = () => `${at()}[${index}]`
    if (key !== '') addProblems(errors, isQualifiedName(key), key, () => `${here()}.key`)
    else if (operator !== 'Exists')
      errors.push(
        invalid(
          `${here()}.operator`,
          typed(operator),
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      )
    if (tolerationSeconds !== undefined && tolerationSeconds !== null && effect !== 'NoExecute')
      errors.push(invalid(`${here()}.effect`, typed(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set"))
    checkOperator(errors, operator, value, here, allowComparison)
    if (effect !== '') addUnsupported(errors, effect, taintEffects, () => `${here()}.effect`)
  }
}

function checkOperator(errors: FieldError[], operator: string, value: string, at: At, allowComparison: boolean): void {
  switch (operator) {
    case 'Equal':
    case '': {
      const problems = isValidLabelValue(value)
      if (problems.length > 0) errors.push(invalid(`${at()}.operator`, value, problems.join(';')))
      return
    }
    case 'Exists':
      if (value !== '') errors.push(invalid(`${at()}.operator`, value, "value must be empty when `operator` is 'Exists'"))
      return
    case 'Lt':
    case 'Gt':
      if (!allowComparison) errors.push(notSupported(`${at()}.operator`, typed(operator), ['Equal', 'Exists', 'Lt', 'Gt']))
      else checkNumber(errors, value, () => `${at()}.value`)
      return
    default:
      errors.push(notSupported(`${at()}.operator`, typed(operator), ['Equal', 'Exists']))
  }
}

function checkNumber(errors: FieldError[], value: string, at: At): void {
  addProblems(errors, isDecimalInteger(value), value, at)
  const why = !/^[+-]?[0-9]+$/.test(value)
    ? 'invalid syntax'
    : value.length < 25 && BigInt.asIntN(64, BigInt(value)) === BigInt(value)
      ? ''
      : 'value out of range'
  if (why !== '') errors.push(invalid(at(), value, `strconv.ParseInt: parsing ${goQuote(value)}: ${why}`))
}

import type { FieldError } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import type { PodTemplate } from '../../../types.ts'
import { podTemplateValidationOptions } from '../pod/validation/options.ts'
import { validatePodTemplateSpec } from '../pod/validation.ts'

export function validatePodTemplate({ template }: PodTemplate, { gates }: StrategyContext): FieldError[] {
  return validatePodTemplateSpec(template ?? {}, 'template', podTemplateValidationOptions(gates, template, undefined))
}

export function validatePodTemplateUpdate(next: PodTemplate, current: PodTemplate, { gates }: StrategyContext): FieldError[] {
  const options = podTemplateValidationOptions(gates, next.template, current.template)
  return validatePodTemplateSpec(next.template ?? {}, 'template', options)
}

// Kubernetes: pkg/apis/core/validation.ValidatePodTemplate, ValidatePodTemplateUpdate
import type { FieldError } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import type { PodTemplate } from '../../../types.ts'
import { podValidationOptions } from '../pod/validation/options.ts'
import { validatePodTemplateSpec } from '../pod/validation.ts'

export function validatePodTemplate({ template }: PodTemplate, { gates }: StrategyContext): FieldError[] {
  return validatePodTemplateSpec(template ?? {}, 'template', podValidationOptions(gates))
}

export function validatePodTemplateUpdate(next: PodTemplate, current: PodTemplate, { gates }: StrategyContext): FieldError[] {
  const options = podValidationOptions(gates, current.template)
  return validatePodTemplateSpec(next.template ?? {}, 'template', options)
}

import type { FieldError } from '../../../machinery/field-error.ts'
import type { ValidatingWebhookConfiguration } from '../../../types.ts'
import { validateWebhooks, validateWebhooksUpdate } from './webhook-validation.ts'

export function validateValidatingWebhookConfiguration(configuration: ValidatingWebhookConfiguration): FieldError[] {
  return validateWebhooks(configuration)
}

export function validateValidatingWebhookConfigurationUpdate(
  next: ValidatingWebhookConfiguration,
  current: ValidatingWebhookConfiguration,
): FieldError[] {
  return validateWebhooksUpdate(next, current)
}

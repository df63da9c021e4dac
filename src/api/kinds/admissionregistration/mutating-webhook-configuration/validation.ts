import type { FieldError } from '../../../machinery/field-error.ts'
import type { MutatingWebhookConfiguration } from '../../../types.ts'
import { validateWebhooks, validateWebhooksUpdate } from '../validating-webhook-configuration/webhook-validation.ts'

export function validateMutatingWebhookConfiguration(configuration: MutatingWebhookConfiguration): FieldError[] {
  return validateWebhooks(configuration)
}

export function validateMutatingWebhookConfigurationUpdate(
  next: MutatingWebhookConfiguration,
  current: MutatingWebhookConfiguration,
): FieldError[] {
  return validateWebhooksUpdate(next, current)
}

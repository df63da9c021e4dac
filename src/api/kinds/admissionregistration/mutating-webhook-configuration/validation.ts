import type { FieldError } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import type { MutatingWebhookConfiguration } from '../../../types.ts'
import { validateWebhooks, validateWebhooksUpdate } from '../validating-webhook-configuration/webhook-validation.ts'

export function validateMutatingWebhookConfiguration(configuration: MutatingWebhookConfiguration, _context: StrategyContext): FieldError[] {
  return validateWebhooks(configuration)
}

export function validateMutatingWebhookConfigurationUpdate(
  next: MutatingWebhookConfiguration,
  current: MutatingWebhookConfiguration,
  _context: StrategyContext,
): FieldError[] {
  return validateWebhooksUpdate(next, current)
}

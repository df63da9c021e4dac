import type { FieldError } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import type { ValidatingWebhookConfiguration } from '../../../types.ts'
import { validateWebhooks, validateWebhooksUpdate } from './webhook-validation.ts'

export function validateValidatingWebhookConfiguration(
  configuration: ValidatingWebhookConfiguration,
  _context: StrategyContext,
): FieldError[] {
  return validateWebhooks(configuration)
}

export function validateValidatingWebhookConfigurationUpdate(
  next: ValidatingWebhookConfiguration,
  current: ValidatingWebhookConfiguration,
  _context: StrategyContext,
): FieldError[] {
  return validateWebhooksUpdate(next, current)
}

import { fill } from '../../../machinery/fields.ts'
import type { ValidatingWebhookConfiguration, Writable } from '../../../types.ts'
import { defaultTarget, webhookDefaults } from './webhook-defaults.ts'

export function defaultValidatingWebhookConfiguration(configuration: Writable<ValidatingWebhookConfiguration>): void {
  if (!configuration.webhooks) return
  for (const webhook of configuration.webhooks) defaultTarget(webhook)
  configuration.webhooks = configuration.webhooks.map((webhook) =>
    fill('admissionregistration.ValidatingWebhook', webhook, { ...webhookDefaults }),
  )
}

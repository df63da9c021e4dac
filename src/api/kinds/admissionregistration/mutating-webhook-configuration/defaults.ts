import { fill } from '../../../machinery/fields.ts'
import type { MutatingWebhookConfiguration, Writable } from '../../../types.ts'
import { defaultTarget, webhookDefaults } from '../validating-webhook-configuration/webhook-defaults.ts'

export function defaultMutatingWebhookConfiguration(configuration: Writable<MutatingWebhookConfiguration>): void {
  if (!configuration.webhooks) return
  for (const webhook of configuration.webhooks) defaultTarget(webhook)
  configuration.webhooks = configuration.webhooks.map((webhook) =>
    fill('admissionregistration.MutatingWebhook', webhook, { ...webhookDefaults, reinvocationPolicy: 'Never' }),
  )
}

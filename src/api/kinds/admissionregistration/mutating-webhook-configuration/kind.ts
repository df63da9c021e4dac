import { fill } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { MutatingWebhookConfiguration } from '../../../types.ts'
import { webhookConfigurationColumns } from '../validating-webhook-configuration/columns.ts'
import { defaultTarget, webhookDefaults } from '../validating-webhook-configuration/webhook-defaults.ts'
import { mutatingWebhookConfigurationTypes } from './schema.ts'
import { validateMutatingWebhookConfiguration, validateMutatingWebhookConfigurationUpdate } from './validation.ts'

export const mutatingWebhookConfigurations: Kind<MutatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.MutatingWebhookConfiguration',
  types: mutatingWebhookConfigurationTypes,
  strategy: {
    names: 'dns-subdomain',
    generation: true,
    unconditionalUpdate: false,
    default(configuration) {
      if (!configuration.webhooks) return
      for (const webhook of configuration.webhooks) defaultTarget(webhook)
      configuration.webhooks = configuration.webhooks.map((webhook) =>
        fill('admissionregistration.MutatingWebhook', webhook, { ...webhookDefaults, reinvocationPolicy: 'Never' }),
      )
    },
    validate: validateMutatingWebhookConfiguration,
    validateUpdate: validateMutatingWebhookConfigurationUpdate,
  },
  columns: webhookConfigurationColumns,
}

import { fill } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ValidatingWebhookConfiguration } from '../../../types.ts'
import { webhookConfigurationColumns } from './columns.ts'
import { validatingWebhookConfigurationTypes } from './schema.ts'
import { defaultTarget, webhookDefaults } from './webhook-defaults.ts'
import { validateWebhooks, validateWebhooksUpdate } from './webhook-validation.ts'

export const validatingWebhookConfigurations: Kind<ValidatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.ValidatingWebhookConfiguration',
  types: validatingWebhookConfigurationTypes,
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default(configuration) {
      if (!configuration.webhooks) return
      for (const webhook of configuration.webhooks) defaultTarget(webhook)
      configuration.webhooks = configuration.webhooks.map((webhook) =>
        fill('admissionregistration.ValidatingWebhook', webhook, { ...webhookDefaults }),
      )
    },
    validate: validateWebhooks,
    validateUpdate: validateWebhooksUpdate,
  },
  columns: webhookConfigurationColumns,
}

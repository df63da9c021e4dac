import type { Kind } from '../../../machinery/kind.ts'
import type { ValidatingWebhookConfiguration } from '../../../types.ts'
import { webhookConfigurationColumns } from './columns.ts'
import { defaultValidatingWebhookConfiguration } from './defaults.ts'
import { validatingWebhookConfigurationTypes } from './schema.ts'
import { validateValidatingWebhookConfiguration, validateValidatingWebhookConfigurationUpdate } from './validation.ts'

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
    names: 'dns-subdomain',
    generation: true,
    unconditionalUpdate: false,
    default: defaultValidatingWebhookConfiguration,
    validate: validateValidatingWebhookConfiguration,
    validateUpdate: validateValidatingWebhookConfigurationUpdate,
  },
  columns: webhookConfigurationColumns,
}

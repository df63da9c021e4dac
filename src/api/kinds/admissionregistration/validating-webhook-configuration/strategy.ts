import type { Strategy } from '../../../machinery/kind.ts'
import type { ValidatingWebhookConfiguration } from '../../../types.ts'
import { defaultValidatingWebhookConfiguration } from './defaults.ts'
import { validateValidatingWebhookConfiguration, validateValidatingWebhookConfigurationUpdate } from './validation.ts'

export const validatingWebhookConfigurationStrategy: Strategy<ValidatingWebhookConfiguration> = {
  names: 'dns-subdomain',
  generation: true,
  unconditionalUpdate: false,
  default: defaultValidatingWebhookConfiguration,
  validate: validateValidatingWebhookConfiguration,
  validateUpdate: validateValidatingWebhookConfigurationUpdate,
}

import type { Strategy } from '../../../machinery/kind.ts'
import type { MutatingWebhookConfiguration } from '../../../types.ts'
import { defaultMutatingWebhookConfiguration } from './defaults.ts'
import { validateMutatingWebhookConfiguration, validateMutatingWebhookConfigurationUpdate } from './validation.ts'

export const mutatingWebhookConfigurationStrategy: Strategy<MutatingWebhookConfiguration> = {
  names: 'dns-subdomain',
  generation: true,
  unconditionalUpdate: false,
  default: defaultMutatingWebhookConfiguration,
  validate: validateMutatingWebhookConfiguration,
  validateUpdate: validateMutatingWebhookConfigurationUpdate,
}

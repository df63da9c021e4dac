import type { Strategy } from '../../../machinery/kind.ts'
import type { ValidatingWebhookConfiguration } from '../../../types.ts'
import { defaultValidatingWebhookConfiguration } from './defaults.ts'

export const validatingWebhookConfigurationStrategy: Strategy<ValidatingWebhookConfiguration> = {
  names: 'dns-subdomain',
  generation: true,
  unconditionalUpdate: false,
  default: defaultValidatingWebhookConfiguration,
}

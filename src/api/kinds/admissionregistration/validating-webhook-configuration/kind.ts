import type { Kind } from '../../../machinery/kind.ts'
import type { ValidatingWebhookConfiguration } from '../../../types.ts'
import { validatingWebhookConfigurationColumns } from './columns.ts'
import { validatingWebhookConfigurationTypes } from './schema.ts'
import { validatingWebhookConfigurationStrategy } from './strategy.ts'

export const validatingWebhookConfigurations: Kind<ValidatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  singular: 'validatingwebhookconfiguration',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.ValidatingWebhookConfiguration',
  types: validatingWebhookConfigurationTypes,
  strategy: validatingWebhookConfigurationStrategy,
  columns: validatingWebhookConfigurationColumns,
}

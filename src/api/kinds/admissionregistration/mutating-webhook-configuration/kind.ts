import type { Kind } from '../../../machinery/kind.ts'
import type { MutatingWebhookConfiguration } from '../../../types.ts'
import { mutatingWebhookConfigurationColumns } from './columns.ts'
import { mutatingWebhookConfigurationTypes } from './schema.ts'
import { mutatingWebhookConfigurationStrategy } from './strategy.ts'

export const mutatingWebhookConfigurations: Kind<MutatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  singular: 'mutatingwebhookconfiguration',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.MutatingWebhookConfiguration',
  types: mutatingWebhookConfigurationTypes,
  strategy: mutatingWebhookConfigurationStrategy,
  columns: mutatingWebhookConfigurationColumns,
}

// Kubernetes: pkg/registry/admissionregistration/validatingwebhookconfiguration.validatingWebhookConfigurationStrategy.*
// Kubernetes: pkg/apis/admissionregistration/v1.SetDefaults_ValidatingWebhook
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ValidatingWebhookConfiguration } from '../../../types.ts'
import { webhookConfigurationColumns } from './columns.ts'
import { defaultWebhooks } from './webhook-defaults.ts'
import { validateWebhooks, validateWebhooksUpdate } from './webhook-validation.ts'

export const validatingWebhookConfigurations: Kind<ValidatingWebhookConfiguration> = {
  ...resource('admissionregistration.ValidatingWebhookConfiguration'),
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: (configuration) => defaultWebhooks('admissionregistration.ValidatingWebhook', configuration),
    metadata: { anyFinalizer: true, onUpdate: ['as new'] },
    validate: validateWebhooks,
    validateUpdate: validateWebhooksUpdate,
  },
  columns: webhookConfigurationColumns,
}

// Kubernetes: pkg/registry/admissionregistration/mutatingwebhookconfiguration.mutatingWebhookConfigurationStrategy.*
// Kubernetes: pkg/printers/internalversion.printMutatingWebhook
// Kubernetes: pkg/apis/admissionregistration/v1.SetDefaults_MutatingWebhook
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { MutatingWebhookConfiguration } from '../../../types.ts'
import { webhookConfigurationColumns } from '../validating-webhook-configuration/kind.ts'
import { defaultWebhooks } from '../validating-webhook-configuration/webhook-defaults.ts'
import { validateWebhooks, validateWebhooksUpdate } from '../validating-webhook-configuration/webhook-validation.ts'

export const mutatingWebhookConfigurations: Kind<MutatingWebhookConfiguration> = {
  ...resource('admissionregistration.MutatingWebhookConfiguration'),
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: (configuration) => defaultWebhooks('admissionregistration.MutatingWebhook', configuration, { reinvocationPolicy: 'Never' }),
    metadata: { anyFinalizer: true, onUpdate: ['as new'] },
    validate: validateWebhooks,
    validateUpdate: validateWebhooksUpdate,
  },
  columns: webhookConfigurationColumns,
}

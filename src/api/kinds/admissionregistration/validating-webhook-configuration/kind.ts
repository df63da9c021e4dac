// Kubernetes: pkg/registry/admissionregistration/validatingwebhookconfiguration.validatingWebhookConfigurationStrategy.*
// Kubernetes: pkg/apis/admissionregistration/v1.SetDefaults_ValidatingWebhook
import { ageColumn, columnsOf, integer, nameColumn } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '../../../types.ts'
import { defaultWebhooks } from './webhook-defaults.ts'
import { validateWebhooks, validateWebhooksUpdate } from './webhook-validation.ts'

// Kubernetes: pkg/printers/internalversion.printValidatingWebhook, printMutatingWebhook
/** The columns of validating and of mutating configurations. */
export const webhookConfigurationColumns = columnsOf<ValidatingWebhookConfiguration | MutatingWebhookConfiguration>([
  nameColumn,
  integer('Webhooks', 'How many webhooks it has.', ({ webhooks }) => (webhooks ?? []).length),
  ageColumn,
])

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

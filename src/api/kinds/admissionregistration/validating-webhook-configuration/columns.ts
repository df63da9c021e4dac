// Kubernetes: pkg/printers/internalversion.printValidatingWebhook, printMutatingWebhook
import { ageColumn, columnsOf, integer, nameColumn } from '../../../machinery/columns/cells.ts'
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '../../../types.ts'

/** The columns of validating and of mutating configurations. */
export const webhookConfigurationColumns = columnsOf<ValidatingWebhookConfiguration | MutatingWebhookConfiguration>([
  nameColumn,
  integer('Webhooks', 'How many webhooks it has.', ({ webhooks }) => (webhooks ?? []).length),
  ageColumn,
])

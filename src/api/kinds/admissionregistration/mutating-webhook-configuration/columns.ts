import { ageColumn, ageOf, integer, nameColumn, nameOf } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { MutatingWebhookConfiguration } from '../../../types.ts'

export const mutatingWebhookConfigurationColumns: Columns<MutatingWebhookConfiguration> = {
  definitions: [nameColumn, integer('Webhooks', 'How many webhooks it has.'), ageColumn],
  cells: (object, nowMs) => [nameOf(object), (object.webhooks ?? []).length, ageOf(object, nowMs)],
}

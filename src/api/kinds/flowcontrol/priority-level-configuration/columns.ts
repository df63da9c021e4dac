import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { PriorityLevelConfiguration } from '../../../types.ts'

export const priorityLevelConfigurationColumns: Columns<PriorityLevelConfiguration> = {
  definitions: [
    nameColumn,
    text('Type', 'Limited or Exempt.'),
    text('NominalConcurrencyShares', 'Its share of the concurrency.'),
    text('Queues', 'How many queues it has.'),
    text('HandSize', 'How many queues a flow is spread over.'),
    text('QueueLengthLimit', 'How many requests wait in one queue.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    nameOf(object),
    object.spec?.type ?? '',
    object.spec?.limited === undefined ? '<none>' : (object.spec.limited.nominalConcurrencyShares ?? 0),
    object.spec?.limited?.limitResponse?.queuing?.queues ?? '<none>',
    object.spec?.limited?.limitResponse?.queuing?.handSize ?? '<none>',
    object.spec?.limited?.limitResponse?.queuing?.queueLengthLimit ?? '<none>',
    ageOf(object, nowMs),
  ],
}

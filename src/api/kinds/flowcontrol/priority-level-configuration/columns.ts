import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { PriorityLevelConfiguration } from '../../../types.ts'

export const priorityLevelConfigurationColumns = columnsOf<PriorityLevelConfiguration>([
  nameColumn,
  text('Type', 'Limited or Exempt.', ({ spec }) => spec?.type ?? ''),
  text('NominalConcurrencyShares', 'Its share of the concurrency.', ({ spec }) =>
    spec?.limited === undefined ? '<none>' : (spec.limited.nominalConcurrencyShares ?? 0),
  ),
  text('Queues', 'How many queues it has.', ({ spec }) => spec?.limited?.limitResponse?.queuing?.queues ?? '<none>'),
  text('HandSize', 'How many queues a flow is spread over.', ({ spec }) => spec?.limited?.limitResponse?.queuing?.handSize ?? '<none>'),
  text(
    'QueueLengthLimit',
    'How many requests wait in one queue.',
    ({ spec }) => spec?.limited?.limitResponse?.queuing?.queueLengthLimit ?? '<none>',
  ),
  ageColumn,
])

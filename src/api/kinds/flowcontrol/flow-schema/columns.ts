import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { FlowSchema } from '../../../types.ts'

export const flowSchemaColumns = columnsOf<FlowSchema>([
  nameColumn,
  text('PriorityLevel', 'The PriorityLevelConfiguration of matching requests.', ({ spec }) => spec?.priorityLevelConfiguration?.name ?? ''),
  text('MatchingPrecedence', 'The schema with the lowest number wins.', ({ spec }) => spec?.matchingPrecedence ?? 0),
  text('DistinguisherMethod', 'How requests are divided into flows.', ({ spec }) => spec?.distinguisherMethod?.type ?? '<none>'),
  ageColumn,
  text(
    'MissingPL',
    'Whether the PriorityLevelConfiguration does not exist.',
    ({ status }) => status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
  ),
])

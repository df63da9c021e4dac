import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { FlowSchema } from '../../../types.ts'

export const flowSchemaColumns: Columns<FlowSchema> = {
  definitions: [
    nameColumn,
    text('PriorityLevel', 'The PriorityLevelConfiguration of matching requests.'),
    text('MatchingPrecedence', 'The schema with the lowest number wins.'),
    text('DistinguisherMethod', 'How requests are divided into flows.'),
    ageColumn,
    text('MissingPL', 'Whether the PriorityLevelConfiguration does not exist.'),
  ],
  cells: (object, nowMs) => [
    nameOf(object),
    object.spec?.priorityLevelConfiguration?.name ?? '',
    object.spec?.matchingPrecedence ?? 0,
    object.spec?.distinguisherMethod?.type ?? '<none>',
    ageOf(object, nowMs),
    object.status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
  ],
}

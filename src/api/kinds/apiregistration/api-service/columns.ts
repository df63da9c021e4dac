import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ApiService } from '../../../types.ts'

export const apiServiceColumns: Columns<ApiService> = {
  definitions: [
    nameColumn,
    text('Service', 'The Service that serves this version, or Local.'),
    text('Available', 'Whether this version is served.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    nameOf(object),
    object.spec?.service === undefined ? 'Local' : `${object.spec.service.namespace ?? ''}/${object.spec.service.name ?? ''}`,
    availableCell(object),
    ageOf(object, nowMs),
  ],
}

function availableCell({ status }: ApiService): string {
  const condition = status?.conditions?.find(({ type }) => type === 'Available')
  if (condition === undefined) return 'Unknown'
  return condition.status === 'True' ? 'True' : `${condition.status} (${condition.reason ?? ''})`
}

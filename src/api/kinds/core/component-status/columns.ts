import { nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ComponentStatus } from '../../../types.ts'

export const componentStatusColumns: Columns<ComponentStatus> = {
  definitions: [
    nameColumn,
    text('Status', 'Whether the component is healthy.'),
    text('Message', 'What the component says.'),
    text('Error', 'Why it is not healthy.'),
  ],
  cells: (object) => {
    const condition = object.conditions?.find(({ type }) => type === 'Healthy')
    const status = condition === undefined ? 'Unknown' : condition.status === 'True' ? 'Healthy' : 'Unhealthy'
    return [nameOf(object), status, condition?.message ?? '', condition?.error ?? '']
  },
}

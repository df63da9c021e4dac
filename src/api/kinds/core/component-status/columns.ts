import { columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { ComponentStatus } from '../../../types.ts'

const healthOf = ({ conditions }: ComponentStatus) => conditions?.find(({ type }) => type === 'Healthy')

export const componentStatusColumns = columnsOf<ComponentStatus>([
  nameColumn,
  text('Status', 'Whether the component is healthy.', (object) => {
    const status = healthOf(object)?.status
    return status === undefined ? 'Unknown' : status === 'True' ? 'Healthy' : 'Unhealthy'
  }),
  text('Message', 'What the component says.', (object) => healthOf(object)?.message ?? ''),
  text('Error', 'Why it is not healthy.', (object) => healthOf(object)?.error ?? ''),
])

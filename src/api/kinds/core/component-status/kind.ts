// Kubernetes: pkg/printers/internalversion.printComponentStatus
import { columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ComponentStatus } from '../../../types.ts'

const healthOf = ({ conditions }: ComponentStatus) => conditions?.find(({ type }) => type === 'Healthy')

export const componentStatuses: Kind<ComponentStatus> = {
  ...resource('core.ComponentStatus'),
  deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  strategy: {
    names: 'any',
  },
  columns: columnsOf([
    nameColumn,
    text('Status', 'Whether the component is healthy.', (object) => {
      const status = healthOf(object)?.status
      return status === undefined ? 'Unknown' : status === 'True' ? 'Healthy' : 'Unhealthy'
    }),
    text('Message', 'What the component says.', (object) => healthOf(object)?.message ?? ''),
    text('Error', 'Why it is not healthy.', (object) => healthOf(object)?.error ?? ''),
  ]),
}

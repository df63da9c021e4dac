import { columnsOf, nameColumn } from '../../../machinery/columns/cells.ts'
import type { CustomResourceDefinition } from '../../../machinery/structural/definition.ts'

export const customResourceDefinitionColumns = columnsOf<CustomResourceDefinition>([
  nameColumn,
  {
    name: 'Created At',
    type: 'date',
    description: 'When the object was created.',
    priority: 0,
    cell: ({ metadata }) => metadata?.creationTimestamp ?? '',
  },
])

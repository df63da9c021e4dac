import type { Columns } from '../../../machinery/kind.ts'
import type { CustomResourceDefinition } from '../../../machinery/structural/definition.ts'

export const customResourceDefinitionColumns: Columns<CustomResourceDefinition> = {
  definitions: [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: 'The name of the object, unique among its kind in its namespace.',
      priority: 0,
    },
    { name: 'Created At', type: 'date', description: 'When the object was created.', priority: 0 },
  ],
  cells: ({ metadata }) => [metadata?.name ?? '', metadata?.creationTimestamp ?? ''],
}

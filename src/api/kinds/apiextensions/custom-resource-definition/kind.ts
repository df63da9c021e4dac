// Kubernetes: k8s.io/apiserver/pkg/registry/rest.defaultTableConvertor.ConvertToTable
import { columnsOf, nameColumn } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { CustomResourceDefinition } from '../../../machinery/structural/definition.ts'
import { loadEngines } from '../../../machinery/structural/validator.ts'
import { customResourceDefinitionStrategy } from './strategy.ts'

export const customResourceDefinitions: Kind<CustomResourceDefinition> = {
  ...resource('apiextensions.CustomResourceDefinition'),
  hasFewEqualParts: true,
  load: loadEngines,
  strategy: customResourceDefinitionStrategy,
  columns: columnsOf([
    nameColumn,
    {
      name: 'Created At',
      type: 'date',
      description: 'When the object was created.',
      priority: 0,
      cell: ({ metadata }) => metadata?.creationTimestamp ?? '',
    },
  ]),
}

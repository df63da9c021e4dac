// Kubernetes: k8s.io/apiserver/pkg/registry/rest.defaultTableConvertor.ConvertToTable
import { columnsOf, nameColumn } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { CustomResourceDefinition } from '../../../machinery/structural/definition.ts'
import { loadEngines } from '../../../machinery/structural/validator.ts'
import { customResourceDefinitionStrategy } from './strategy.ts'

export const customResourceDefinitions: Kind<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  type: 'apiextensions.CustomResourceDefinition',
  hasFewEqualParts: true,
  load: loadEngines,
  strategy: customResourceDefinitionStrategy,
  subresources: { status: true },
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

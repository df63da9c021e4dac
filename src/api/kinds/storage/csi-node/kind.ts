import { ageColumn, columnsOf, integer, nameColumn } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { CsiNode } from '../../../types.ts'
import { validateCsiNode, validateCsiNodeUpdate } from './validation.ts'

export const csiNodes: Kind<CsiNode> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  namespaced: false,
  type: 'storage.CSINode',
  types: {
    'storage.CSINode': {
      $typeMeta: 'object',
      spec: 'storage.CSINodeSpec always required #2',
    },
    'storage.CSINodeSpec': {
      drivers: '[]storage.CSINodeDriver always patch=merge mergeKey=name list=map keys=name required #1',
    },
    'storage.CSINodeDriver': {
      name: 'string always required #1',
      nodeID: 'string always required #2',
      topologyKeys: '[]string always list=atomic #3',
      allocatable: '*storage.VolumeNodeResources #4',
    },
    'storage.VolumeNodeResources': {
      count: '*int32 #1',
    },
  },
  strategy: {
    unconditionalUpdate: false,
    metadata: { onUpdate: ['as new'] },
    validate: validateCsiNode,
    validateUpdate: validateCsiNodeUpdate,
  },
  columns: columnsOf([
    nameColumn,
    integer('Drivers', 'How many drivers the node has.', ({ spec }) => (spec?.drivers ?? []).length),
    ageColumn,
  ]),
  returnsDeletedObject: true,
}

// Kubernetes: pkg/registry/storage/csinode.csiNodeStrategy.*
// Kubernetes: pkg/printers/internalversion.printCSINode
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

// Kubernetes: pkg/registry/storage/csinode.csiNodeStrategy.*
// Kubernetes: pkg/printers/internalversion.printCSINode
import { ageColumn, columnsOf, integer, nameColumn } from '../../../machinery/columns/cells.ts'
import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { CsiNode } from '../../../types.ts'
import { validateCsiNode, validateCsiNodeUpdate } from './validation.ts'

export const csiNodes: Kind<CsiNode> = {
  ...resource('storage.CSINode'),
  strategy: {
    ...ownStatus('storage.CSINodeStatus'),
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

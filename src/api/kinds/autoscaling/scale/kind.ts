// Kubernetes: pkg/printers/internalversion.printScale
import { ageColumn, columnsOf, integer, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { Scale } from '../../../types.ts'

/** The body and the answer of the scale subresource. It has no objects of its own. */
export const scaleKind: Kind<Scale> = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  plural: 'scales',
  namespaced: true,
  type: 'autoscaling.Scale',
  verbs: ['get', 'patch', 'update'],
  strategy: {},
  columns: columnsOf([
    text('Name', 'The name of the object that is scaled.', nameOf),
    integer('Desired', 'How many replicas there are to be.', ({ spec }) => spec?.replicas ?? 0),
    integer('Available', 'How many replicas there are.', ({ status }) => status?.replicas ?? 0),
    ageColumn,
  ]),
}

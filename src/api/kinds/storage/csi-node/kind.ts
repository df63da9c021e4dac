import type { Kind } from '../../../machinery/kind.ts'
import type { CsiNode } from '../../../types.ts'
import { csiNodeColumns } from './columns.ts'
import { csiNodeTypes } from './schema.ts'
import { csiNodeStrategy } from './strategy.ts'

export const csiNodes: Kind<CsiNode> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  singular: 'csinode',
  namespaced: false,
  type: 'storage.CSINode',
  types: csiNodeTypes,
  strategy: csiNodeStrategy,
  columns: csiNodeColumns,
  returnsDeletedObject: true,
}

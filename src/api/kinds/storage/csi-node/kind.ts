import type { Kind } from '../../../machinery/kind.ts'
import type { CsiNode } from '../../../types.ts'
import { csiNodeColumns } from './columns.ts'
import { csiNodeTypes } from './schema.ts'
import { validateCsiNode } from './validation.ts'

export const csiNodes: Kind<CsiNode> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  namespaced: false,
  type: 'storage.CSINode',
  types: csiNodeTypes,
  strategy: {
    names: 'dns-subdomain',
    unconditionalUpdate: false,
    validate: validateCsiNode,
  },
  columns: csiNodeColumns,
  returnsDeletedObject: true,
}

import type { Kind } from '../../../machinery/kind.ts'
import type { FlowSchema } from '../../../types.ts'
import { flowSchemaColumns } from './columns.ts'
import { flowSchemaTypes } from './schema.ts'
import { flowSchemaStrategy } from './strategy.ts'

export const flowSchemas: Kind<FlowSchema> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  singular: 'flowschema',
  namespaced: false,
  type: 'flowcontrol.FlowSchema',
  types: flowSchemaTypes,
  strategy: flowSchemaStrategy,
  subresources: { status: true },
  columns: flowSchemaColumns,
}

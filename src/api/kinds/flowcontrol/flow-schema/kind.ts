import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { FlowSchema } from '../../../types.ts'
import { flowSchemaColumns } from './columns.ts'
import { flowSchemaTypes } from './schema.ts'
import { validateFlowSchema } from './validation.ts'

export const flowSchemas: Kind<FlowSchema> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  namespaced: false,
  type: 'flowcontrol.FlowSchema',
  types: flowSchemaTypes,
  strategy: {
    names: 'dns-subdomain',
    generation: true,
    default({ spec }) {
      if (spec) spec.matchingPrecedence ||= 1000
    },
    ...ownStatus('flowcontrol.FlowSchemaStatus'),
    validate: validateFlowSchema,
  },
  subresources: { status: true },
  columns: flowSchemaColumns,
}

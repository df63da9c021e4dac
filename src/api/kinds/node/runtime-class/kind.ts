import type { Kind } from '../../../machinery/kind.ts'
import type { RuntimeClass } from '../../../types.ts'
import { runtimeClassColumns } from './columns.ts'
import { runtimeClassTypes } from './schema.ts'
import { runtimeClassStrategy } from './strategy.ts'

export const runtimeClasses: Kind<RuntimeClass> = {
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  singular: 'runtimeclass',
  namespaced: false,
  type: 'node.RuntimeClass',
  types: runtimeClassTypes,
  strategy: runtimeClassStrategy,
  columns: runtimeClassColumns,
}

import type { Kind } from '../../../machinery/kind.ts'
import type { ConfigMap } from '../../../types.ts'
import { configMapColumns } from './columns.ts'
import { configMapTypes } from './schema.ts'
import { configMapStrategy } from './strategy.ts'

export const configMaps: Kind<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  shortNames: ['cm'],
  namespaced: true,
  type: 'core.ConfigMap',
  types: configMapTypes,
  strategy: configMapStrategy,
  columns: configMapColumns,
}

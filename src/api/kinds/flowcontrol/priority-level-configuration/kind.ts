import type { Kind } from '../../../machinery/kind.ts'
import type { PriorityLevelConfiguration } from '../../../types.ts'
import { priorityLevelConfigurationColumns } from './columns.ts'
import { priorityLevelConfigurationTypes } from './schema.ts'
import { priorityLevelConfigurationStrategy } from './strategy.ts'

export const priorityLevelConfigurations: Kind<PriorityLevelConfiguration> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  singular: 'prioritylevelconfiguration',
  namespaced: false,
  type: 'flowcontrol.PriorityLevelConfiguration',
  types: priorityLevelConfigurationTypes,
  strategy: priorityLevelConfigurationStrategy,
  subresources: { status: true },
  columns: priorityLevelConfigurationColumns,
}

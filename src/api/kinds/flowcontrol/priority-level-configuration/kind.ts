import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { PriorityLevelConfiguration } from '../../../types.ts'
import { priorityLevelConfigurationColumns } from './columns.ts'
import { defaultPriorityLevelConfiguration } from './defaults.ts'
import { priorityLevelConfigurationTypes } from './schema.ts'
import { validatePriorityLevelConfiguration } from './validation.ts'

export const priorityLevelConfigurations: Kind<PriorityLevelConfiguration> = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  namespaced: false,
  type: 'flowcontrol.PriorityLevelConfiguration',
  types: priorityLevelConfigurationTypes,
  strategy: {
    names: 'dns-subdomain',
    generation: true,
    default: defaultPriorityLevelConfiguration,
    ...ownStatus('flowcontrol.PriorityLevelConfigurationStatus'),
    validate: validatePriorityLevelConfiguration,
  },
  subresources: { status: true },
  columns: priorityLevelConfigurationColumns,
}

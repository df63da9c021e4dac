import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { PriorityLevelConfiguration } from '../../../types.ts'
import { defaultPriorityLevelConfiguration } from './defaults.ts'
import { validatePriorityLevelConfiguration } from './validation.ts'

export const priorityLevelConfigurationStrategy: Strategy<PriorityLevelConfiguration> = {
  names: 'dns-subdomain',
  generation: true,
  default: defaultPriorityLevelConfiguration,
  ...ownStatus('flowcontrol.PriorityLevelConfigurationStatus'),
  validate: validatePriorityLevelConfiguration,
  validateUpdate: (next) => validatePriorityLevelConfiguration(next),
}

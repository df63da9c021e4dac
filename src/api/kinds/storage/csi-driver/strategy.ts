import type { Strategy } from '../../../machinery/kind.ts'
import type { CsiDriver } from '../../../types.ts'
import { defaultCsiDriver } from './defaults.ts'
import { validateCsiDriver } from './validation.ts'

export const csiDriverStrategy: Strategy<CsiDriver> = {
  names: 'dns-subdomain',
  unconditionalUpdate: false,
  default: defaultCsiDriver,
  validate: validateCsiDriver,
  validateUpdate: (next) => validateCsiDriver(next),
}

import type { Strategy } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { Secret } from '../../../types.ts'
import { defaultSecret } from './defaults.ts'
import { validateSecret, validateSecretUpdate } from './validation.ts'

export const secretStrategy: Strategy<Secret> = {
  names: 'dns-subdomain',
  default: defaultSecret,
  validate: validateSecret,
  validateUpdate: andAsNew('namespaced', 'dns-subdomain', validateSecretUpdate),
}

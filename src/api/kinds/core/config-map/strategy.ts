import type { Strategy } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { ConfigMap } from '../../../types.ts'
import { validateConfigMap, validateConfigMapUpdate } from './validation.ts'

export const configMapStrategy: Strategy<ConfigMap> = {
  names: 'dns-subdomain',
  validate: validateConfigMap,
  validateUpdate: andAsNew('namespaced', 'dns-subdomain', validateConfigMapUpdate),
}

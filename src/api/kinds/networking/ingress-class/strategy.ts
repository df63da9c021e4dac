import type { Strategy } from '../../../machinery/kind.ts'
import type { IngressClass } from '../../../types.ts'
import { defaultIngressClass } from './defaults.ts'
import { validateIngressClass, validateIngressClassUpdate } from './validation.ts'

export const ingressClassStrategy: Strategy<IngressClass> = {
  names: 'dns-subdomain',
  generation: true,
  default: defaultIngressClass,
  validate: validateIngressClass,
  validateUpdate: validateIngressClassUpdate,
}

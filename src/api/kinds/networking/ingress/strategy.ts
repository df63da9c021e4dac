import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { Ingress } from '../../../types.ts'
import { ingressWarnings, validateIngress, validateIngressStatusUpdate, validateIngressUpdate } from './validation.ts'

export const ingressStrategy: Strategy<Ingress> = {
  names: 'dns-subdomain',
  generation: true,
  ...ownStatus('networking.IngressStatus'),
  validate: validateIngress,
  validateUpdate: validateIngressUpdate,
  validateStatusUpdate: validateIngressStatusUpdate,
  warnings: ingressWarnings,
}

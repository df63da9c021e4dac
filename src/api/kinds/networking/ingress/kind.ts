import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { Ingress } from '../../../types.ts'
import { ingressColumns } from './columns.ts'
import { ingressTypes } from './schema.ts'
import { ingressWarnings, validateIngress, validateIngressStatusUpdate, validateIngressUpdate } from './validation.ts'

export const ingresses: Kind<Ingress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  shortNames: ['ing'],
  namespaced: true,
  type: 'networking.Ingress',
  types: ingressTypes,
  strategy: {
    generation: true,
    ...ownStatus('networking.IngressStatus'),
    validate: validateIngress,
    validateUpdate: validateIngressUpdate,
    validateStatusUpdate: validateIngressStatusUpdate,
    warnings: ingressWarnings,
  },
  subresources: { status: true },
  columns: ingressColumns,
}

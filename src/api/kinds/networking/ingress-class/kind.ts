import { fill } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { IngressClass } from '../../../types.ts'
import { ingressClassColumns } from './columns.ts'
import { ingressClassTypes } from './schema.ts'
import { validateIngressClass, validateIngressClassUpdate } from './validation.ts'

export const ingressClasses: Kind<IngressClass> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  namespaced: false,
  type: 'networking.IngressClass',
  types: ingressClassTypes,
  strategy: {
    names: 'dns-subdomain',
    generation: true,
    default({ spec }) {
      if (spec?.parameters) spec.parameters = fill('networking.IngressClassParametersReference', spec.parameters, { scope: 'Cluster' })
    },
    validate: validateIngressClass,
    validateUpdate: validateIngressClassUpdate,
  },
  columns: ingressClassColumns,
}

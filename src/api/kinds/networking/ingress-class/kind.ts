import type { Kind } from '../../../machinery/kind.ts'
import type { IngressClass } from '../../../types.ts'
import { ingressClassColumns } from './columns.ts'
import { ingressClassTypes } from './schema.ts'
import { ingressClassStrategy } from './strategy.ts'

export const ingressClasses: Kind<IngressClass> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  singular: 'ingressclass',
  namespaced: false,
  type: 'networking.IngressClass',
  types: ingressClassTypes,
  strategy: ingressClassStrategy,
  columns: ingressClassColumns,
}

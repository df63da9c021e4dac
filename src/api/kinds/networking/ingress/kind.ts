import type { Kind } from '../../../machinery/kind.ts'
import type { Ingress } from '../../../types.ts'
import { ingressColumns } from './columns.ts'
import { ingressTypes } from './schema.ts'
import { ingressStrategy } from './strategy.ts'

export const ingresses: Kind<Ingress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  singular: 'ingress',
  shortNames: ['ing'],
  namespaced: true,
  type: 'networking.Ingress',
  types: ingressTypes,
  strategy: ingressStrategy,
  subresources: { status: true },
  columns: ingressColumns,
}

import type { Kind } from '../../../machinery/kind.ts'
import type { Lease } from '../../../types.ts'
import { leaseColumns } from './columns.ts'
import { leaseTypes } from './schema.ts'
import { leaseStrategy } from './strategy.ts'

export const leases: Kind<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  type: 'coordination.Lease',
  types: leaseTypes,
  strategy: leaseStrategy,
  columns: leaseColumns,
  hasFewEqualParts: true,
}

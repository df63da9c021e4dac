import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { Lease } from '../../../types.ts'
import { validateLease } from './validation.ts'

export const leases: Kind<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
  type: 'coordination.Lease',
  types: {
    'coordination.Lease': {
      $typeMeta: 'object',
      spec: 'coordination.LeaseSpec #2',
    },
    'coordination.LeaseSpec': {
      holderIdentity: '*string #1',
      leaseDurationSeconds: '*int32 #2',
      acquireTime: '*MicroTime #3',
      renewTime: '*MicroTime #4',
      leaseTransitions: '*int32 #5',
      // Coordinated leader election is off by default in Kubernetes v1.36, and Rollcall does not implement it.
      strategy: '*string gate=CoordinatedLeaderElection goType=v1.CoordinatedLeaseStrategy #6',
      preferredHolder: '*string gate=CoordinatedLeaderElection #7',
    },
  },
  strategy: {
    createOnUpdate: true,
    unconditionalUpdate: false,
    metadata: { anyFinalizer: true },
    validate: validateLease,
  },
  columns: columnsOf([nameColumn, text('Holder', 'Who holds it.', ({ spec }) => spec?.holderIdentity ?? ''), ageColumn]),
  hasFewEqualParts: true,
}

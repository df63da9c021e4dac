import type { Types } from '../../../machinery/schema/schema.ts'

export const leaseTypes: Types = {
  'coordination.Lease': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'coordination.LeaseSpec #2',
  },
  'coordination.LeaseSpec': {
    holderIdentity: '*string #1',
    leaseDurationSeconds: '*int32 #2',
    acquireTime: '*MicroTime #3',
    renewTime: '*MicroTime #4',
    leaseTransitions: '*int32 #5',
    strategy: '*string gate=CoordinatedLeaderElection goType=v1.CoordinatedLeaseStrategy #6',
    preferredHolder: '*string gate=CoordinatedLeaderElection #7',
  },
}

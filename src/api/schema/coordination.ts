// The types of coordination/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const coordination = {
  Lease: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'coordination.LeaseSpec #2',
  },
  LeaseSpec: {
    holderIdentity: '*string #1',
    leaseDurationSeconds: '*int32 #2',
    acquireTime: '*MicroTime #3',
    renewTime: '*MicroTime #4',
    leaseTransitions: '*int32 #5',
    strategy: '*string gate=CoordinatedLeaderElection #6',
    preferredHolder: '*string gate=CoordinatedLeaderElection #7',
  },
} as const

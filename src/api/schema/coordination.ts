// The types of coordination/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const coordination = {
  Lease: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    spec: 'coordination.LeaseSpec',
  },
  LeaseSpec: {
    holderIdentity: '*string',
    leaseDurationSeconds: '*int32',
    acquireTime: '*MicroTime',
    renewTime: '*MicroTime',
    leaseTransitions: '*int32',
    strategy: '*string gate=CoordinatedLeaderElection',
    preferredHolder: '*string gate=CoordinatedLeaderElection',
  },
} as const

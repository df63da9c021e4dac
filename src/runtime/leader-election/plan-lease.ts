// Decides what one attempt to acquire or renew a Lease writes, with the rules of client-go.
// Kubernetes: k8s.io/client-go/tools/leaderelection.LeaderElector.*
import type { Lease, Stored } from '../../api/types.ts'
import { formatMicroTime } from '../../base/clock.ts'

export type LeaseSpec = NonNullable<Lease['spec']>

/** A record of the Lease, and when this process first observed it. The clocks of two candidates are never compared. */
export interface ObservedLease {
  readonly spec: LeaseSpec
  readonly atMs: number
}

interface LeaseAttempt {
  /** The Lease on the server; undefined when there is none. */
  readonly lease: Stored<Lease> | undefined
  readonly observed: ObservedLease | undefined
  readonly identity: string
  readonly leaseDurationMs: number
  readonly nowMs: number
}

type LeasePlan =
  | { readonly action: 'create' | 'update'; readonly spec: LeaseSpec; readonly observed: ObservedLease | undefined }
  /** Another candidate holds a Lease that has not expired. */
  | { readonly action: 'wait'; readonly observed: ObservedLease }

export function planLease({ lease, observed, identity, leaseDurationMs, nowMs }: LeaseAttempt): LeasePlan {
  const now = formatMicroTime(nowMs)
  const own: LeaseSpec = {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
    acquireTime: now,
    renewTime: now,
    leaseTransitions: 0,
  }
  if (lease === undefined) return { action: 'create', spec: own, observed }
  const current = lease.spec ?? {}
  const seen = observed !== undefined && isSameRecord(observed.spec, current) ? observed : { spec: current, atMs: nowMs }
  if (current.holderIdentity === identity)
    return {
      action: 'update',
      // A candidate that restarts under its old identity keeps its term.
      spec: { ...own, acquireTime: current.acquireTime ?? now, leaseTransitions: current.leaseTransitions ?? 0 },
      observed: seen,
    }
  if (isHeld(seen, nowMs)) return { action: 'wait', observed: seen }
  return { action: 'update', spec: { ...own, leaseTransitions: (current.leaseTransitions ?? 0) + 1 }, observed: seen }
}

/** Written by a leader that stops: the Lease has no holder, and expires after a second for candidates that ignore that. */
export function releasedSpec(current: LeaseSpec, nowMs: number): LeaseSpec {
  const now = formatMicroTime(nowMs)
  return { leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions: current.leaseTransitions ?? 0 }
}

/** When the record expires, by the clock of this process. */
export const expiryMs = ({ spec, atMs }: ObservedLease): number => atMs + (spec.leaseDurationSeconds ?? 0) * 1000

/** The holder has `leaseDurationSeconds` from the moment its last renewal was observed here. */
const isHeld = (observed: ObservedLease, nowMs: number) => (observed.spec.holderIdentity ?? '') !== '' && expiryMs(observed) > nowMs

const isSameRecord = (one: LeaseSpec, other: LeaseSpec) =>
  one.holderIdentity === other.holderIdentity &&
  one.renewTime === other.renewTime &&
  one.acquireTime === other.acquireTime &&
  one.leaseTransitions === other.leaseTransitions &&
  one.leaseDurationSeconds === other.leaseDurationSeconds

// Whether a sync writes the status of its set, or leaves it to the next one.
// Ours: one status for a sync and for the one that follows it.
import type { ReplicasPlan } from './replicas.ts'
import type { AnyReplicaSet } from './settings.ts'

interface SyncResult {
  readonly plan: ReplicasPlan
  /** The pods that were created or deleted; undefined if none had to be. */
  readonly written: { readonly count: number; readonly failure?: string } | undefined
}

/** Whether another sync follows as soon as the cache has observed the pods that were written. */
export const isRepeated = ({ plan, written }: SyncResult): boolean =>
  written !== undefined && written.count > 0 && written.failure === undefined && plan.action !== 'none' && plan.isLast

/**
 * The next sync, which begins when the cache has observed these pods, writes the status once for both. Adopted pods are reported at once:
 * until then they are in no count, as neither the size nor the last status of the set includes them. So are lost pods, as in Kubernetes: a
 * Deployment counts their replacement as progress.
 */
export const isStatusDue = (result: SyncResult, set: AnyReplicaSet, active: number, adopted: number): boolean =>
  !isRepeated(result) || adopted > 0 || active < (set.status?.replicas ?? 0)

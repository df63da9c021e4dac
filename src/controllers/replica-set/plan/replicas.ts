// Decides how many pods to create, or which to delete.
// Kubernetes: pkg/controller/replicaset.ReplicaSetController.manageReplicas
import type { Pod, Stored } from '../../../api/types.ts'
import { stuckAtMs } from '../../shared/plan/pod-state.ts'
import { earliest } from '../../shared/plan/requeue.ts'
import { rankForDeletion } from './deletion-order.ts'
import type { ReplicaSettings } from './settings.ts'

/** Limits the pods that are created or deleted in one sync. */
const maxPodsPerSync = 500

interface ReplicasInput {
  readonly settings: Pick<ReplicaSettings, 'wanted' | 'terminatingAsActive' | 'isBeingDeleted'>
  /** The active pods of the set, adopted ones included. */
  readonly active: readonly Stored<Pod>[]
  /** The terminating pods that may count as active. */
  readonly terminating: number
  /** The pods of all sets with the same owner. Called only when pods are deleted. */
  related(): Iterable<Stored<Pod>>
  readonly usesDeletionCost: boolean
  readonly nowMs: number
}

/** `isLast`: after it the set has its size. */
export type ReplicasPlan =
  | { readonly action: 'none' }
  | { readonly action: 'create'; readonly count: number; readonly isLast: boolean }
  | { readonly action: 'delete'; readonly pods: readonly Stored<Pod>[]; readonly isLast: boolean }

interface TerminatingPods {
  /** How many count as active under terminatingAsActive. */
  readonly holding: number
  /** Those that no longer count, because of the timeout. */
  readonly stuck: readonly Stored<Pod>[]
  /** When the next one stops counting. */
  readonly nextStuckAtMs: number | undefined
}

/** Separates the terminating pods that are stuck for longer than the timeout of the set. */
export function sortTerminating(
  { stuckTerminationTimeoutMs }: Pick<ReplicaSettings, 'stuckTerminationTimeoutMs'>,
  terminating: readonly Stored<Pod>[],
  nowMs: number,
): TerminatingPods {
  if (stuckTerminationTimeoutMs === undefined) return { holding: terminating.length, stuck: [], nextStuckAtMs: undefined }
  let nextStuckAtMs: number | undefined
  const stuck = terminating.filter((pod) => {
    const atMs = stuckAtMs(pod, stuckTerminationTimeoutMs)
    if (atMs > nowMs) nextStuckAtMs = earliest(nextStuckAtMs, atMs)
    return atMs <= nowMs
  })
  return { holding: terminating.length - stuck.length, stuck, nextStuckAtMs }
}

const none: ReplicasPlan = { action: 'none' }

/**
 * The pods of a set that is being deleted are left to the garbage collector. With terminatingAsActive a terminating pod counts
 * as a replica until it has terminated (draft of KEP-3939), but never causes the deletion of another pod.
 */
export function planReplicas({ settings, active, terminating, related, usesDeletionCost, nowMs }: ReplicasInput): ReplicasPlan {
  const { wanted, terminatingAsActive, isBeingDeleted } = settings
  if (isBeingDeleted) return none
  const surplus = active.length - wanted
  if (surplus > 0) {
    const count = Math.min(surplus, maxPodsPerSync)
    const pods = count < active.length ? rankForDeletion(active, count, { nowMs, usesDeletionCost, related: related() }) : active
    return { action: 'delete', pods, isLast: count === surplus }
  }
  const missing = -surplus - (terminatingAsActive ? terminating : 0)
  return missing > 0 ? { action: 'create', count: Math.min(missing, maxPodsPerSync), isLast: missing <= maxPodsPerSync } : none
}

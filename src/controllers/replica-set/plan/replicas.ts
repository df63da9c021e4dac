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
  /** Those of them that are being replaced before their eviction. Default: none. */
  readonly replaced?: readonly Stored<Pod>[]
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

const noPods: readonly Stored<Pod>[] = []

function surplusOf(
  pods: readonly Stored<Pod>[],
  surplus: number,
  { related, usesDeletionCost, nowMs }: ReplicasInput,
): readonly Stored<Pod>[] {
  if (surplus <= 0) return noPods
  return surplus < pods.length ? rankForDeletion(pods, surplus, { nowMs, usesDeletionCost, related: related() }) : pods
}

/**
 * The pods of a set that is being deleted are left to the garbage collector. With terminatingAsActive a terminating pod counts
 * as a replica until it has terminated (draft of KEP-3939), but never causes the deletion of another pod. A pod that is being replaced before
 * its eviction is in addition to the replicas, but there are no more of these than replicas.
 */
export function planReplicas(input: ReplicasInput): ReplicasPlan {
  const { settings, terminating, replaced = noPods } = input
  const { wanted, terminatingAsActive, isBeingDeleted } = settings
  if (isBeingDeleted) return none
  const active = replaced.length === 0 ? input.active : input.active.filter((pod) => !replaced.includes(pod))
  const surplus = active.length - wanted
  const replacedSurplus = replaced.length - wanted
  if (surplus > 0 || replacedSurplus > 0) {
    const first = surplusOf(active, Math.min(surplus, maxPodsPerSync), input)
    const rest = surplusOf(replaced, Math.min(replacedSurplus, maxPodsPerSync - first.length), input)
    const pods = rest.length === 0 ? first : [...first, ...rest]
    return { action: 'delete', pods, isLast: surplus >= 0 && pods.length === surplus + Math.max(0, replacedSurplus) }
  }
  const missing = -surplus - (terminatingAsActive ? terminating : 0)
  return missing > 0 ? { action: 'create', count: Math.min(missing, maxPodsPerSync), isLast: missing <= maxPodsPerSync } : none
}

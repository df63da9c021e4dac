// Plans which pods of a Job to create and delete in one sync. The status is planned afterwards, from the results (`status.ts`).
// Kubernetes: pkg/controller/job.Controller.manageJob, activePodsForRemoval, getPodsWithDelayedDeletionPerIndex
// Kubernetes: pkg/controller/job.Controller.getPodCreationInfoForIndependentIndexes, appendDuplicatedIndexPodsForRemoval, jobSuspended
import type { Pod } from '../../../api/types.ts'
import { earliest } from '../../shared/plan/requeue.ts'
import { remainingBackoffMs, remainingIndexBackoffMs } from './backoff.ts'
import { factsOf, indexesOf, type JobFacts, type JobSnapshot } from './facts.ts'
import { firstFreeIndexes, mergeIndexes, withIndexes } from './indexes.ts'
import { compareForRemoval, completionIndexOf, type JobPod } from './pods.ts'
import { planPod } from './template.ts'

export interface JobPlan {
  readonly facts: JobFacts
  readonly creations: readonly Pod[]
  readonly deletions: readonly JobPod[]
  /** The deleted pods do not count as failures: their finalizer is removed before they are deleted. */
  readonly releaseFirst: boolean
  /** Whether this plan manages the number of pods. */
  readonly isManaged: boolean
  readonly action: 'reconciling' | 'tracking' | 'pods_created' | 'pods_deleted'
  readonly requeueAtMs: number | undefined
}

const maxPodsPerSync = 500
/** As long as changes of pods are collected. */
const minRequeueMs = 1000

export function planJob(snapshot: JobSnapshot): JobPlan {
  const facts = factsOf(snapshot)
  const { job, ending, deadlineAtMs } = facts
  const none = { creations: [], deletions: [], releaseFirst: false, isManaged: false, requeueAtMs: undefined } as const
  if (ending !== undefined) return { facts, ...none, action: 'reconciling', deletions: facts.active }
  const requeueAt = (atMs: number | undefined) => earliest(deadlineAtMs, atMs)
  if (job.metadata.deletionTimestamp !== undefined) return { facts, ...none, action: 'reconciling', requeueAtMs: requeueAt(undefined) }
  const surplus = podsToRemove(facts)
  if (surplus.length > 0 || facts.isSuspended)
    return {
      facts,
      creations: [],
      deletions: surplus,
      releaseFirst: true,
      isManaged: true,
      action: 'pods_deleted',
      requeueAtMs: requeueAt(undefined),
    }
  const { wanted, creations, requeueAtMs } = planCreations(facts)
  return {
    facts,
    creations,
    deletions: [],
    releaseFirst: true,
    isManaged: true,
    action: wanted > 0 ? 'pods_created' : 'tracking',
    requeueAtMs: requeueAt(requeueAtMs),
  }
}

/** How many pods should be active, given the missing completions. */
function wantedActive({ job, succeeded, active }: JobFacts): number {
  const { completions, parallelism = 1 } = job.spec!
  // Without spec.completions no pods are created after the first success, and running ones continue.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism
  return Math.max(0, Math.min(completions - succeeded, parallelism))
}

/** Surplus pods, pods without a valid index, and all but one pod of each index. */
function podsToRemove(facts: JobFacts): readonly JobPod[] {
  const { active, isIndexed, isSuspended } = facts
  const min = isSuspended ? active.length : Math.max(0, active.length - wantedActive(facts))
  if (!isIndexed) return min === 0 ? [] : limited([...active].sort(compareForRemoval).slice(0, min), facts)
  const { surplus, rest } = splitByIndex(facts)
  if (surplus.length < min) surplus.push(...rest.sort(compareForRemoval).slice(0, min - surplus.length))
  return limited(surplus, facts)
}

/** All pods of a suspended Job are deleted at once. */
const limited = (pods: readonly JobPod[], { isSuspended }: JobFacts) => (isSuspended ? pods : pods.slice(0, maxPodsPerSync))

function splitByIndex({ active, hasValidIndex }: JobFacts): { surplus: JobPod[]; rest: JobPod[] } {
  const surplus: JobPod[] = []
  const byIndex = new Map<number, JobPod>()
  for (const pod of active) {
    if (!hasValidIndex(pod)) {
      surplus.push(pod)
      continue
    }
    const index = completionIndexOf(pod)!
    const kept = byIndex.get(index)
    if (kept === undefined) byIndex.set(index, pod)
    else if (compareForRemoval(kept, pod) <= 0) {
      surplus.push(kept)
      byIndex.set(index, pod)
    } else surplus.push(pod)
  }
  return { surplus, rest: [...byIndex.values()] }
}

interface Creations {
  /** How many are missing, whether or not they may be created now. */
  readonly wanted: number
  readonly creations: readonly Pod[]
  readonly requeueAtMs: number | undefined
}

function planCreations(facts: JobFacts): Creations {
  const { job, nowMs, active, terminating, replacesOnlyFailed, isIndexed, failedIndexes } = facts
  const held = replacesOnlyFailed ? terminating.length : 0
  const wanted = wantedActive(facts) - held - active.length
  if (wanted <= 0) return { wanted: 0, creations: [], requeueAtMs: undefined }
  // The failure is stored first: otherwise, if the controller stopped in between, both the pod and its replacement could
  // succeed, and one completion too many would be counted. An index is counted once, whichever pod completes it.
  if (facts.isFailureOpen && !isIndexed) return { wanted, creations: [], requeueAtMs: undefined }
  const waitMs = failedIndexes === undefined ? remainingBackoffMs(facts.nextBackoff, nowMs) : 0
  if (waitMs > 0) return { wanted, creations: [], requeueAtMs: nowMs + Math.max(waitMs, minRequeueMs) }
  const count = Math.min(wanted, maxPodsPerSync)
  if (!isIndexed) return { wanted, creations: Array.from({ length: count }, () => planPod(job)), requeueAtMs: undefined }
  const indexes = firstFreeIndexes(takenIndexes(facts), count, job.spec?.completions ?? 0)
  const creations: Pod[] = []
  let minWaitMs: number | undefined
  for (const index of indexes) {
    const replaced = facts.delayed.get(index)
    const indexWaitMs = failedIndexes === undefined ? 0 : remainingIndexBackoffMs(replaced, nowMs)
    if (indexWaitMs === 0) creations.push(planPod(job, index, replaced))
    else if (minWaitMs === undefined || indexWaitMs < minWaitMs) minWaitMs = indexWaitMs
  }
  return { wanted, creations, requeueAtMs: minWaitMs === undefined ? undefined : nowMs + Math.max(minWaitMs, minRequeueMs) }
}

/** Indexes that need no pod: succeeded, failed, or with an active pod; with podReplacementPolicy Failed also with a terminating one. */
function takenIndexes({ active, terminating, replacesOnlyFailed, succeededIndexes, failedIndexes }: JobFacts) {
  const held = replacesOnlyFailed ? [...active, ...terminating] : active
  return mergeIndexes(withIndexes(succeededIndexes, indexesOf(held)), failedIndexes ?? [])
}

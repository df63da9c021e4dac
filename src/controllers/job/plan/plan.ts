// Which pods a Job gets and which it loses, in one step. What follows for its status is in ./status.ts, once it is
// known what became of the step.
import type { Pod } from '../../../api/types.ts'
import { earliest } from '../../shared/plan/requeue.ts'
import { remainingBackoffMs, remainingIndexBackoffMs } from './backoff.ts'
import { factsOf, type JobFacts, type JobSnapshot } from './facts.ts'
import { firstFreeIndexes, mergeIndexes, withIndexes } from './indexes.ts'
import { compareForRemoval, completionIndexOf, type JobPod } from './pods.ts'
import { planPod } from './template.ts'

export interface JobPlan {
  readonly facts: JobFacts
  readonly creations: readonly Pod[]
  readonly deletions: readonly JobPod[]
  /** The deleted pods are nobody's failures: they lose the finalizer first, and are never counted. */
  readonly releaseFirst: boolean
  /** The number of pods was looked at, and is right or on its way. */
  readonly isManaged: boolean
  readonly action: 'reconciling' | 'tracking' | 'pods_created' | 'pods_deleted'
  readonly requeueAtMs: number | undefined
}

const mostPodsInOneStep = 500
/** Nothing is looked at again sooner than changes of pods are. */
const shortestWaitMs = 1000

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

/** How many pods are to be active, given how many completions are missing. */
function wantedActive({ job, succeeded, active }: JobFacts): number {
  const { completions, parallelism = 1 } = job.spec!
  // Without a number of completions, the first success ends the making of pods; what runs goes on.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism
  return Math.max(0, Math.min(completions - succeeded, parallelism))
}

/** What is too many, what has no index that is asked for, and all but one of each index. */
function podsToRemove(facts: JobFacts): readonly JobPod[] {
  const { active, isIndexed, isSuspended } = facts
  const least = isSuspended ? active.length : Math.max(0, active.length - wantedActive(facts))
  if (!isIndexed) return least === 0 ? [] : limited([...active].sort(compareForRemoval).slice(0, least), facts)
  const { surplus, rest } = splitByIndex(facts)
  if (surplus.length < least) surplus.push(...rest.sort(compareForRemoval).slice(0, least - surplus.length))
  return limited(surplus, facts)
}

/** A suspended Job loses all its pods at once. */
const limited = (pods: readonly JobPod[], { isSuspended }: JobFacts) => (isSuspended ? pods : pods.slice(0, mostPodsInOneStep))

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
  /** How many are missing, whether they may be made now or not. */
  readonly wanted: number
  readonly creations: readonly Pod[]
  readonly requeueAtMs: number | undefined
}

function planCreations(facts: JobFacts): Creations {
  const { job, nowMs, active, terminating, replacesOnlyFailed, isIndexed, failedIndexes } = facts
  const held = replacesOnlyFailed ? terminating.length : 0
  const wanted = wantedActive(facts) - held - active.length
  if (wanted <= 0) return { wanted: 0, creations: [], requeueAtMs: undefined }
  // First it is written down that the pod has failed: if the controller stopped in between, both it and its replacement
  // could succeed, and one completion too many would be counted. An index is counted once, whoever completes it.
  if (facts.isFailureOpen && !isIndexed) return { wanted, creations: [], requeueAtMs: undefined }
  const waitMs = failedIndexes === undefined ? remainingBackoffMs(facts.nextBackoff, nowMs) : 0
  if (waitMs > 0) return { wanted, creations: [], requeueAtMs: nowMs + Math.max(waitMs, shortestWaitMs) }
  const count = Math.min(wanted, mostPodsInOneStep)
  if (!isIndexed) return { wanted, creations: Array.from({ length: count }, () => planPod(job)), requeueAtMs: undefined }
  const indexes = firstFreeIndexes(takenIndexes(facts), count, job.spec?.completions ?? 0)
  const creations: Pod[] = []
  let shortestMs: number | undefined
  for (const index of indexes) {
    const replaced = facts.delayed.get(index)
    const indexWaitMs = failedIndexes === undefined ? 0 : remainingIndexBackoffMs(replaced, nowMs)
    if (indexWaitMs === 0) creations.push(planPod(job, index, replaced))
    else if (shortestMs === undefined || indexWaitMs < shortestMs) shortestMs = indexWaitMs
  }
  return { wanted, creations, requeueAtMs: shortestMs === undefined ? undefined : nowMs + Math.max(shortestMs, shortestWaitMs) }
}

/** Indexes that need no pod: done, given up, or with a pod; under Failed also those whose pod is still going. */
function takenIndexes({ active, terminating, replacesOnlyFailed, succeededIndexes, failedIndexes }: JobFacts) {
  const held = replacesOnlyFailed ? [...active, ...terminating] : active
  const occupied: number[] = []
  for (const pod of held) {
    const index = completionIndexOf(pod)
    if (index !== undefined) occupied.push(index)
  }
  return mergeIndexes(withIndexes(succeededIndexes, occupied), failedIndexes ?? [])
}

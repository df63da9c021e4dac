// Plans the status of a Job after a sync, and which pods lose their finalizer.
//
// Guarantee: a finished pod is counted exactly once, wherever the controller stops. Its uid is first stored in
// uncountedTerminatedPods; then its finalizer is removed, and the pod may be deleted; then the uid is removed from the list and
// the counter increased, in one write. An Indexed Job needs no list for successes: it stores the indexes.
// Kubernetes: pkg/controller/job.Controller.trackJobStatusAndRemoveFinalizers, Controller.flushUncountedAndRemoveFinalizers
// Kubernetes: pkg/controller/job.cleanUncountedPodsWithoutFinalizers, Controller.enactJobFinished, Controller.recordJobFinished
// Kubernetes: pkg/controller/job.Controller.newSuccessCondition, Controller.newFailureCondition
// Kubernetes: pkg/controller/job.canRemoveFinalizer

import { isEqualStruct } from '../../../api/machinery/schema/equality.ts'
import type { Job } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { normal, type PlannedEvent, warning } from '../../shared/plan/planned-event.ts'
import { isReady } from '../../shared/plan/pod-state.ts'
import { type Conditions, conditionsOf, newCondition, withJobCondition, withWorkloadConditions } from './conditions.ts'
import type { Ending, JobFacts } from './facts.ts'
import { countOf, formatIndexes, hasIndex } from './indexes.ts'
import type { JobPlan } from './plan.ts'
import { completionIndexOf, isSucceeded, type JobPod, phaseOf } from './pods.ts'
import { judgeFailure } from './policies.ts'

export type JobStatus = NonNullable<Job['status']>

/** The results of applying a plan. */
export interface StepOutcome {
  readonly created: number
  /** The planned deletions that succeeded, or whose pod no longer exists. */
  readonly deleted: readonly JobPod[]
}

export interface StatusPlan {
  /** Undefined if nothing has changed. */
  readonly status: JobStatus | undefined
  /** Pods whose tracking finalizer is removed after the status was written. */
  readonly release: readonly JobPod[]
  /** Recorded after the status was written. */
  readonly events: readonly PlannedEvent[]
  readonly finished: 'Complete' | 'Failed' | undefined
  /** Whether to reconcile again at once: the next step depends on no other component. */
  readonly requeue: boolean
  /** How often each action of the pod failure policy was taken. */
  readonly policyActions: ReadonlyMap<string, number>
}

/** Keeps the list of uncounted pods below about 20 kB. */
const maxUncounted = 500

export function planJobStatus(plan: JobPlan, outcome: StepOutcome): StatusPlan {
  const { facts } = plan
  const { job, gates, nowMs } = facts
  const stored = job.status ?? {}
  const active = facts.active.length + outcome.created - outcome.deleted.length
  const terminating = facts.terminating.length + outcome.deleted.length
  const ready = facts.ready - outcome.deleted.filter(isReady).length
  const { ending, isComplete } = endingAfter(plan, active)
  const count = countPods(facts, ending)
  const events: PlannedEvent[] = []

  let conditions = conditionsOf(job)
  let startTime = facts.startTime
  if (plan.isManaged && !isComplete) {
    const suspended = withSuspension(facts, conditions)
    if (suspended !== conditions) {
      startTime = facts.isSuspended ? undefined : formatTime(nowMs)
      events.push(facts.isSuspended ? normal('Suspended', 'Job suspended') : normal('Resumed', 'Job resumed'))
    }
    conditions = suspended
  }
  if (ending !== undefined && !ending.isStored)
    conditions = [...conditions, newCondition(ending.type, 'True', ending.reason, ending.message, nowMs)]
  // A Job that ends releases every pod that is not counted: without one, the lists are empty.
  const isOver = ending?.isStored === true && terminating === 0 && count.release.length === 0
  const finished = !isOver ? undefined : ending.type === 'FailureTarget' ? 'Failed' : 'Complete'
  if (isOver) {
    // A finished Job has a start time, unless it was suspended from the start and had no completions.
    if (startTime === undefined && !(facts.isSuspended && job.spec?.completions === 0)) startTime = formatTime(nowMs)
    conditions = withJobCondition(conditions, finished!, 'True', ending.reason, ending.message, nowMs)
    events.push(...endingEvents(facts, finished!, ending, count.succeeded))
  }
  if (gates.ExtendedWorkloadConditions) conditions = withWorkloadConditions(conditions, phasesAfter(plan, outcome), nowMs)

  const completionTime = finished === 'Complete' ? formatTime(nowMs) : stored.completionTime
  const status: JobStatus = {
    ...(conditions.length > 0 && { conditions }),
    ...(startTime !== undefined && { startTime }),
    ...(completionTime !== undefined && { completionTime }),
    ...(active > 0 && { active }),
    ...(count.succeeded > 0 && { succeeded: count.succeeded }),
    ...(count.failed > 0 && { failed: count.failed }),
    ...(gates.JobPodReplacementPolicy && { terminating }),
    ...(count.completedIndexes !== '' && { completedIndexes: count.completedIndexes }),
    ...(count.failedIndexes !== undefined && { failedIndexes: count.failedIndexes }),
    uncountedTerminatedPods: {
      ...(count.uncountedSucceeded.length > 0 && { succeeded: count.uncountedSucceeded }),
      ...(count.uncountedFailed.length > 0 && { failed: count.uncountedFailed }),
    },
    ready,
  }
  return {
    status: isEqualStruct('batch.JobStatus', status, stored) ? undefined : status,
    release: count.release,
    events,
    finished,
    requeue: count.release.length > 0 || (ending !== undefined && !ending.isStored),
    policyActions: count.policyActions,
  }
}

/** The decision to end takes effect only when all active pods were deleted. */
function endingAfter({ facts }: JobPlan, active: number): { ending: Ending | undefined; isComplete: boolean } {
  const { ending, job, succeeded } = facts
  if (ending !== undefined) {
    return { ending: active === 0 ? ending : undefined, isComplete: false }
  }
  const { completions } = job.spec!
  const isComplete = active === 0 && (completions === undefined ? succeeded > 0 : succeeded >= completions)
  if (!isComplete) return { ending: undefined, isComplete }
  return {
    ending: {
      type: 'SuccessCriteriaMet',
      reason: 'CompletionsReached',
      message: 'Reached expected number of succeeded pods',
      isStored: false,
    },
    isComplete,
  }
}

function withSuspension({ isSuspended, nowMs }: JobFacts, conditions: Conditions): Conditions {
  return isSuspended
    ? withJobCondition(conditions, 'Suspended', 'True', 'JobSuspended', 'Job suspended', nowMs)
    : withJobCondition(conditions, 'Suspended', 'False', 'JobResumed', 'Job resumed', nowMs)
}

function endingEvents({ job }: JobFacts, finished: string, { reason, message }: Ending, succeeded: number): PlannedEvent[] {
  if (finished === 'Failed') return [warning(reason, message)]
  const { completions } = job.spec!
  const isExceeded = completions !== undefined && succeeded > completions
  return [
    ...(isExceeded ? [warning('TooManySucceededPods', 'Too many succeeded pods running after completion count reached')] : []),
    normal('Completed', 'Job completed'),
  ]
}

/** KEP-2804 counts phases: a terminating pod may still be running. New pods are pending. */
function phasesAfter({ facts }: JobPlan, { created }: StepOutcome) {
  let running = 0
  let pending = created
  for (const pod of facts.pods) {
    const phase = phaseOf(pod)
    if (phase === 'Running') running++
    else if (phase === 'Pending') pending++
  }
  return { running, pending }
}

interface Count {
  readonly succeeded: number
  readonly failed: number
  readonly completedIndexes: string
  readonly failedIndexes: string | undefined
  readonly uncountedSucceeded: readonly string[]
  readonly uncountedFailed: readonly string[]
  readonly release: readonly JobPod[]
  readonly policyActions: ReadonlyMap<string, number>
}

function countPods(facts: JobFacts, ending: Ending | undefined): Count {
  const { job, pods, isIndexed, isUncounted, isFailed, hasValidIndex } = facts
  const stored = job.status ?? {}
  const { succeeded: listedSucceeded = [], failed: listedFailed = [] } = stored.uncountedTerminatedPods ?? {}
  const held = new Set<string>()
  for (const pod of pods) if (isUncounted(pod)) held.add(pod.metadata.uid)
  const uncountedSucceeded = listedSucceeded.filter((uid) => held.has(uid))
  const uncountedFailed = listedFailed.filter((uid) => held.has(uid))
  const succeeded = (stored.succeeded ?? 0) + listedSucceeded.length - uncountedSucceeded.length
  const failed = (stored.failed ?? 0) + listedFailed.length - uncountedFailed.length
  const knownSucceeded = new Set(listedSucceeded)
  const knownFailed = new Set(listedFailed)
  const release: JobPod[] = []
  const policyActions = new Map<string, number>()
  let newIndexes = 0

  const ordered = isIndexed ? [...pods].sort((a, b) => (completionIndexOf(a) ?? -1) - (completionIndexOf(b) ?? -1)) : pods
  for (const pod of ordered) {
    if (!isUncounted(pod)) continue
    const isFailure = isFailed(pod)
    if (!mayRelease(facts, pod, isFailure, ending)) continue
    release.push(pod)
    const { uid } = pod.metadata
    if (isSucceeded(pod) && !knownFailed.has(uid)) {
      if (!isIndexed) {
        if (!knownSucceeded.has(uid)) uncountedSucceeded.push(uid)
      } else if (hasValidIndex(pod) && !hasIndex(facts.countedIndexes, completionIndexOf(pod)!)) newIndexes++
    } else if ((isFailure || ending?.type === 'FailureTarget') && !knownFailed.has(uid) && hasValidIndex(pod)) {
      // When the Job fails, every pod that has not succeeded counts as failed.
      const { counts, action } = judgeFailure(job.spec?.podFailurePolicy, pod)
      if (action !== undefined) policyActions.set(action, (policyActions.get(action) ?? 0) + 1)
      if (counts) uncountedFailed.push(uid)
    }
    // The rest is counted in the next sync.
    if (newIndexes + uncountedSucceeded.length + uncountedFailed.length >= maxUncounted) break
  }
  return {
    succeeded: isIndexed ? countOf(facts.succeededIndexes) : succeeded,
    failed,
    completedIndexes: formatIndexes(facts.succeededIndexes),
    failedIndexes: facts.failedIndexes === undefined ? undefined : formatIndexes(facts.failedIndexes),
    uncountedSucceeded,
    uncountedFailed,
    release,
    policyActions,
  }
}

function mayRelease({ job, delayed }: JobFacts, pod: JobPod, failed: boolean, ending: Ending | undefined): boolean {
  if (job.metadata.deletionTimestamp !== undefined || ending !== undefined || isSucceeded(pod)) return true
  if (!failed) return false
  const index = completionIndexOf(pod)
  return index === undefined || delayed.get(index) !== pod
}

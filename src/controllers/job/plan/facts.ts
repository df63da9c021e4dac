// Facts about a Job, derived from its spec, status and pods, on which all decisions are based.
// Kubernetes: pkg/controller/job.Controller.syncJob, onlyReplaceFailedPods, pastBackoffLimitOnFailure, Controller.pastActiveDeadline
// Kubernetes: pkg/controller/job.getNewFinishedPods, newFailedConditionForFailureTarget, isPodFailed
import type { FeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Job, Stored } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'
import { terminatingAsActiveOf } from '../../shared/plan/annotations.ts'
import { isReady, isTerminal } from '../../shared/plan/pod-state.ts'
import { type Backoff, nextBackoff } from './backoff.ts'
import { conditionsOf, findTrue } from './conditions.ts'
import { countOf, hasIndex, type Indexes, noIndexes, parseIndexes, withIndexes } from './indexes.ts'
import {
  completionIndexOf,
  finishedAtMs,
  indexAbsoluteFailureCountOf,
  indexFailureCountOf,
  isSucceeded,
  isTracked,
  type JobPod,
} from './pods.ts'
import { judgeFailure, judgeSuccess } from './policies.ts'

export interface JobSnapshot {
  readonly job: Stored<Job>
  /** The pods that the Job controls. */
  readonly pods: readonly JobPod[]
  readonly gates: FeatureGates
  readonly nowMs: number
  readonly backoff: Backoff
}

/** The Job will end: the interim condition is set first, the final one when all pods have terminated. */
export interface Ending {
  readonly type: 'SuccessCriteriaMet' | 'FailureTarget'
  readonly reason: string
  readonly message: string
  /** Whether the status already has the interim condition. */
  readonly isStored: boolean
}

export interface JobFacts extends JobSnapshot {
  readonly isIndexed: boolean
  readonly isSuspended: boolean
  readonly replacesOnlyFailed: boolean
  readonly active: readonly JobPod[]
  readonly terminating: readonly JobPod[]
  readonly ready: number
  /** Successes and failures, including those that the status has not counted yet. */
  readonly succeeded: number
  readonly failed: number
  /** A pod counts as failed because it is being deleted, but the status has not recorded it and the pod may still succeed. */
  readonly isFailureOpen: boolean
  readonly startTime: string | undefined
  /** Includes new failures. */
  readonly nextBackoff: Backoff
  readonly ending: Ending | undefined
  /** The active deadline, if it has not passed. */
  readonly deadlineAtMs: number | undefined
  /** Indexed Jobs only: the succeeded indexes in the status, and those together with the ones of the pods. */
  readonly countedIndexes: Indexes
  readonly succeededIndexes: Indexes
  /** Only with backoffLimitPerIndex. */
  readonly failedIndexes: Indexes | undefined
  /** By index: the failed pod that must be kept until its replacement has copied its failure count. */
  readonly delayed: ReadonlyMap<number, JobPod>
  isFailed(pod: JobPod): boolean
  /** It has the finalizer: it is not counted yet. */
  isUncounted(pod: JobPod): boolean
  /** Indexed Jobs: its index is below spec.completions. */
  hasValidIndex(pod: JobPod): boolean
}

/** KEP-3939: whether a pod is replaced only when it has terminated, not already when it is being deleted. */
export function replacesOnlyFailed(job: Job, gates: FeatureGates): boolean {
  if (job.spec?.podFailurePolicy !== undefined) return true
  if (gates.JobPodReplacementPolicy && job.spec?.podReplacementPolicy === 'Failed') return true
  return gates.TerminatingAsActive && terminatingAsActiveOf(job).value === true
}

export function factsOf(snapshot: JobSnapshot): JobFacts {
  const { job, pods, gates, nowMs } = snapshot
  const spec = job.spec!
  const status = job.status ?? {}
  const isIndexed = spec.completionMode === 'Indexed'
  const completions = spec.completions ?? 0
  const isSuspended = spec.suspend === true
  const onlyFailed = replacesOnlyFailed(job, gates)

  const isBeingDeleted = (pod: JobPod) => pod.metadata.deletionTimestamp !== undefined
  const isFailed = (pod: JobPod) => pod.status?.phase === 'Failed' || (!onlyFailed && isBeingDeleted(pod) && !isSucceeded(pod))
  const isUncounted = (pod: JobPod) => isTracked(pod)
  const hasValidIndex = (pod: JobPod) => {
    if (!isIndexed) return true
    const index = completionIndexOf(pod)
    return index !== undefined && index < completions
  }

  const active = pods.filter((pod) => !isTerminal(pod) && !isBeingDeleted(pod))
  const terminating = pods.filter((pod) => !isTerminal(pod) && isBeingDeleted(pod))
  const listed = {
    succeeded: new Set(status.uncountedTerminatedPods?.succeeded),
    failed: new Set(status.uncountedTerminatedPods?.failed),
  }
  // A recorded result is final: a pod that counts as failed because of its deletion cannot succeed later.
  const isListed = ({ metadata }: JobPod) => listed.succeeded.has(metadata.uid) || listed.failed.has(metadata.uid)
  const candidates = pods.filter((pod) => isUncounted(pod) && hasValidIndex(pod) && !isListed(pod))
  const newSucceeded = candidates.filter(isSucceeded)
  const newFailed = candidates.filter(isFailed)
  const counting = newFailed.filter((pod) => judgeFailure(spec.podFailurePolicy, pod).counts)

  const isPerIndex = isIndexed && spec.backoffLimitPerIndex !== undefined
  const countedIndexes = isIndexed ? parseIndexes(status.completedIndexes, completions) : noIndexes
  const storedFailedIndexes = isPerIndex ? parseIndexes(status.failedIndexes, completions) : noIndexes
  const finishing = isIndexed ? pods.filter((pod) => isTracked(pod) && hasValidIndex(pod)) : []
  // No index is in both lists: its first result is final.
  const succeededIndexes = withIndexes(
    countedIndexes,
    indexesOf(finishing.filter((pod) => isSucceeded(pod) && !listed.failed.has(pod.metadata.uid))).filter(
      (index) => !hasIndex(storedFailedIndexes, index),
    ),
  )
  const failedIndexes = isPerIndex
    ? withIndexes(
        storedFailedIndexes,
        // The indexes of listed pods were judged when they were listed: a pod that is deleted because the Job ends fails no index.
        indexesOf(finishing.filter((pod) => isFailed(pod) && !listed.failed.has(pod.metadata.uid) && endsIndex(job, pod))).filter(
          (index) => !hasIndex(succeededIndexes, index),
        ),
      )
    : undefined

  const facts = {
    ...snapshot,
    isIndexed,
    isSuspended,
    replacesOnlyFailed: onlyFailed,
    active,
    terminating,
    ready: active.filter(isReady).length,
    succeeded: isIndexed ? countOf(succeededIndexes) : (status.succeeded ?? 0) + newSucceeded.length + listed.succeeded.size,
    failed: (status.failed ?? 0) + counting.length + listed.failed.size,
    isFailureOpen: newFailed.some((pod) => !isTerminal(pod)),
    startTime: status.startTime ?? (isSuspended ? undefined : formatTime(nowMs)),
    nextBackoff: nextBackoff(snapshot.backoff, newSucceeded, newFailed),
    countedIndexes,
    succeededIndexes,
    failedIndexes,
    isFailed,
    isUncounted,
    hasValidIndex,
  }
  const deadlineAtMs =
    spec.activeDeadlineSeconds === undefined || facts.startTime === undefined || isSuspended
      ? undefined
      : parseTime(facts.startTime) + spec.activeDeadlineSeconds * 1000
  const isPastDeadline = deadlineAtMs !== undefined && nowMs >= deadlineAtMs
  return {
    ...facts,
    delayed: failedIndexes === undefined ? new Map() : delayedPods(facts, failedIndexes),
    deadlineAtMs: isPastDeadline ? undefined : deadlineAtMs,
    ending: endingOf(facts, isPastDeadline),
  }
}

/** The valid completion indexes of the pods. */
export const indexesOf = (pods: readonly JobPod[]): number[] => pods.flatMap((pod) => completionIndexOf(pod) ?? [])

/** Whether its index fails with this pod. */
function endsIndex({ spec }: Stored<Job>, pod: JobPod): boolean {
  const { counts, action } = judgeFailure(spec?.podFailurePolicy, pod)
  return action === 'FailIndex' || (counts && indexFailureCountOf(pod) >= (spec?.backoffLimitPerIndex ?? 0))
}

type Counted = Omit<JobFacts, 'delayed' | 'deadlineAtMs' | 'ending'>

/** For each index without an active pod: the failed pod with the highest failure count; of several, the latest. */
function delayedPods({ pods, active, succeededIndexes, isUncounted, hasValidIndex, isFailed }: Counted, failedIndexes: Indexes) {
  const delayed = new Map<number, JobPod>()
  const activeIndexes = new Set(indexesOf(active))
  for (const pod of pods) {
    if (!isUncounted(pod) || !hasValidIndex(pod) || !isFailed(pod)) continue
    const index = completionIndexOf(pod)!
    if (hasIndex(succeededIndexes, index) || hasIndex(failedIndexes, index) || activeIndexes.has(index)) continue
    const known = delayed.get(index)
    const isLater =
      known === undefined ||
      (indexAbsoluteFailureCountOf(known) <= indexAbsoluteFailureCountOf(pod) && finishedAtMs(known) <= finishedAtMs(pod))
    if (isLater) delayed.set(index, pod)
  }
  return delayed
}

/** Whether the Job ends for a reason other than reaching its completions. A stored decision is final. */
function endingOf(facts: Counted, isPastDeadline: boolean): Ending | undefined {
  const { job, pods, failed, succeededIndexes, failedIndexes, isFailed } = facts
  const spec = job.spec!
  const stored = findTrue(conditionsOf(job), 'SuccessCriteriaMet') ?? findTrue(conditionsOf(job), 'FailureTarget')
  if (stored !== undefined)
    return { type: stored.type as Ending['type'], reason: stored.reason ?? '', message: stored.message ?? '', isStored: true }
  const fail = (reason: string, message: string): Ending => ({ type: 'FailureTarget', reason, message, isStored: false })
  if (spec.podFailurePolicy !== undefined)
    for (const pod of pods) {
      if (!isFailed(pod)) continue
      const { failJob } = judgeFailure(spec.podFailurePolicy, pod)
      if (failJob !== undefined) return fail('PodFailurePolicy', failJob)
    }
  if (failed > (spec.backoffLimit ?? 6) || isPastRestartLimit(job, pods))
    return fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
  if (isPastDeadline) return fail('DeadlineExceeded', 'Job was active longer than specified deadline')
  if (!facts.isIndexed) return undefined
  if (failedIndexes !== undefined) {
    const failedCount = countOf(failedIndexes)
    if (spec.maxFailedIndexes !== undefined && failedCount > spec.maxFailedIndexes)
      return fail('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes')
    if (failedCount > 0 && failedCount + countOf(succeededIndexes) >= (spec.completions ?? 0))
      return fail('FailedIndexes', 'Job has failed indexes')
  }
  const message = judgeSuccess(spec.successPolicy, spec.completions ?? 0, succeededIndexes)
  return message === undefined ? undefined : { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message, isStored: false }
}

/** With restartPolicy OnFailure, container restarts of pods that have not finished count toward the limit. */
function isPastRestartLimit({ spec }: Stored<Job>, pods: readonly JobPod[]): boolean {
  if (spec?.template.spec?.restartPolicy !== 'OnFailure') return false
  let restarts = 0
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue
    for (const { restartCount } of status.initContainerStatuses ?? []) restarts += restartCount
    for (const { restartCount } of status.containerStatuses ?? []) restarts += restartCount
  }
  const limit = spec.backoffLimit ?? 6
  return limit === 0 ? restarts > 0 : restarts >= limit
}

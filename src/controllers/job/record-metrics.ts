// Updates the metrics after a sync of a Job.
// Kubernetes: pkg/controller/job.recordJobPodFinished, recordJobPodsCreationTotal, recordJobPodFailurePolicyActions
// Kubernetes: pkg/controller/job.recordFinishedPodWithTrackingFinalizer, Controller.recordJobFinished
import type { Job, Stored } from '../../api/types.ts'
import type { AppliedStep } from './apply.ts'
import type { JobMetrics } from './metrics.ts'
import { replacesOnlyFailed } from './plan/facts.ts'
import { countOf, parseIndexes } from './plan/indexes.ts'
import type { JobPlan } from './plan/plan.ts'
import type { StatusPlan } from './plan/status.ts'

export function recordPodMetrics(metrics: JobMetrics, { facts, creations }: JobPlan, { created, failedCreations }: AppliedStep): void {
  if (creations.length === 0) return
  const { failed, terminating, gates, job } = facts
  const reason = !gates.JobPodReplacementPolicy
    ? 'new'
    : replacesOnlyFailed(job, gates) && failed > 0
      ? 'recreate_failed'
      : failed > 0 || terminating.length > 0
        ? 'recreate_terminating_or_failed'
        : 'new'
  if (created > 0) metrics.count('job_controller_job_pods_creation_total', { reason, status: 'succeeded' }, created)
  if (failedCreations > 0) metrics.count('job_controller_job_pods_creation_total', { reason, status: 'failed' }, failedCreations)
}

/** `job` has the status before the write. */
export function recordStatusMetrics(metrics: JobMetrics, { spec, status: before = {} }: Stored<Job>, next: StatusPlan): void {
  const { status: after = {}, finished, policyActions, events } = next
  const mode = { completion_mode: spec?.completionMode ?? 'NonIndexed' }
  const add = (result: 'succeeded' | 'failed', by: number) => {
    if (by > 0) metrics.count('job_controller_job_pods_finished_total', { ...mode, result }, by)
  }
  if (spec?.completionMode === 'Indexed') {
    const count = (indexes: string | undefined) => countOf(parseIndexes(indexes, spec.completions ?? 0))
    const backoffLimit = spec.backoffLimitPerIndex === undefined ? 'global' : 'perIndex'
    const addIndexes = (status: 'succeeded' | 'failed', by: number) => {
      if (by > 0) metrics.count('job_controller_job_finished_indexes_total', { status, backoffLimit }, by)
    }
    const succeeded = count(after.completedIndexes) - count(before.completedIndexes)
    add('succeeded', succeeded)
    addIndexes('succeeded', succeeded)
    addIndexes('failed', count(after.failedIndexes) - count(before.failedIndexes))
  } else add('succeeded', (after.succeeded ?? 0) - (before.succeeded ?? 0))
  add('failed', (after.failed ?? 0) - (before.failed ?? 0))
  for (const [action, by] of policyActions) metrics.count('job_controller_pod_failures_handled_by_failure_policy_total', { action }, by)
  if (finished !== undefined) {
    const reason =
      finished === 'Failed' ? (events.at(-1)?.reason ?? '') : (after.conditions?.find(({ type }) => type === finished)?.reason ?? '')
    metrics.count('job_controller_jobs_finished_total', { ...mode, result: finished === 'Failed' ? 'failed' : 'succeeded', reason })
  }
}

// What a Job waits for, by its planner.
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Job, Stored } from '../../api/types.ts'
import { nextBackoff, noBackoff } from '../../controllers/job/plan/backoff.ts'
import { finishedCondition } from '../../controllers/job/plan/conditions.ts'
import { planJob } from '../../controllers/job/plan/plan.ts'
import { isSucceeded, isTracked, phaseOf } from '../../controllers/job/plan/pods.ts'
import { deletionText } from './explain-replica-set.ts'
import { type Explanation, explanationOf, podsText, type Surroundings, writesText } from './explanation.ts'
import { refusalIn } from './warnings.ts'

export function explainJob(job: Stored<Job>, surroundings: Surroundings): Explanation {
  const { uid } = job.metadata
  const { gates, nowMs } = surroundings
  const pods = surroundings.pods.filter((pod) => controllerOf(pod)?.uid === uid)
  // The controller keeps its back-off in memory. The pods that it has counted, as far as they still exist, show the same.
  const counted = pods.filter((pod) => !isTracked(pod))
  const failedBefore = counted.filter((pod) => phaseOf(pod) === 'Failed')
  const plan = planJob({ job, pods, gates, nowMs, backoff: nextBackoff(noBackoff, counted.filter(isSucceeded), failedBefore) })
  const { active, terminating, succeeded, failed, ready, replacesOnlyFailed, isSuspended, ending } = plan.facts
  const { completions, parallelism = 1, backoffLimit = 6 } = job.spec!
  const finished = finishedCondition(job)
  const wanted = Math.min(parallelism, completions === undefined ? parallelism : completions - succeeded)
  const isShort = active.length < wanted
  const next =
    finished === undefined
      ? [
          ...(plan.creations.length === 0 ? [] : [`create ${podsText(plan.creations.length)}`]),
          ...writesText(
            'delete',
            plan.deletions.map(({ metadata }) => metadata.name),
          ),
        ]
      : []
  const waitMs = plan.requeueAtMs === undefined ? 0 : plan.requeueAtMs - nowMs
  const isBackingOff = isShort && next.length === 0 && terminating.length === 0 && !isSuspended && ending === undefined && waitMs > 0
  const counts = `${podsText(active.length, 'active')} of ${Math.max(0, wanted)}, ${ready} ready, ${terminating.length} terminating`
  const halt =
    haltOf(job, finished) ??
    (isBackingOff
      ? `it creates the next pod in ${Math.ceil(waitMs / 1000)}s, after ${failed} failed ${failed === 1 ? 'pod' : 'pods'}`
      : undefined)
  return explanationOf(
    {
      kind: 'Job',
      object: job,
      account: `${succeeded}${completions === undefined ? '' : ` of ${completions}`} succeeded, ${failed} failed (backoffLimit ${backoffLimit}); ${counts}${replacesOnlyFailed ? '; a pod is replaced when it has terminated' : ''}`,
      next,
      // A running pod is not expected to become ready.
      own: [...active.filter((pod) => phaseOf(pod) === 'Pending' || hasWaitingContainer(pod)), ...terminating],
      minReadySeconds: 0,
      refusals: isShort && finished === undefined ? refusalIn(surroundings.warnings, uid) : [],
      ...(halt !== undefined && { halt }),
      ...(ending !== undefined && { purpose: `it is about to end (${ending.reason}): ` }),
      waitsForTerminating: () => next.length === 0 && (isShort || active.length === 0),
      complete:
        active.length > 0
          ? `it runs: ${podsText(active.length, 'active')}, ${succeeded}${completions === undefined ? '' : ` of ${completions}`} succeeded`
          : 'nothing is left to do',
      isDone: finished !== undefined,
    },
    surroundings,
  )
}

function haltOf(job: Stored<Job>, finished: ReturnType<typeof finishedCondition>): string | undefined {
  const { managedBy, suspend } = job.spec!
  if (finished?.type === 'Complete') return 'it is complete'
  if (finished !== undefined) return `it has failed: ${finished.reason}: ${finished.message ?? ''}`
  if (job.metadata.deletionTimestamp !== undefined) return deletionText(job)
  if (managedBy !== undefined && managedBy !== 'kubernetes.io/job-controller') return `it is managed by ${managedBy}`
  return suspend === true ? 'it is suspended: spec.suspend false continues it' : undefined
}

const hasWaitingContainer = ({ status }: Parameters<typeof phaseOf>[0]) =>
  (status?.containerStatuses ?? []).some(({ state }) => state?.waiting?.reason !== undefined && state.waiting.reason !== 'PodInitializing')

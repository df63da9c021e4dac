// The conditions of a Job.
// Kubernetes: pkg/controller/job.newCondition, ensureJobConditionStatus, findConditionByType
// Kubernetes: pkg/controller/job/util.FinishedCondition, IsJobFinished
import type { Job } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'

type JobCondition = NonNullable<NonNullable<Job['status']>['conditions']>[number]
export type Conditions = readonly JobCondition[]

const noConditions: Conditions = []

export const conditionsOf = ({ status }: Job): Conditions => status?.conditions ?? noConditions

export function findTrue(conditions: Conditions, type: string): JobCondition | undefined {
  return conditions.find((one) => one.type === type && one.status === 'True')
}

/** The condition that ended the Job, or undefined if it has not finished. */
export function finishedCondition(job: Job): JobCondition | undefined {
  return conditionsOf(job).find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True')
}

export const isFinished = (job: Job) => finishedCondition(job) !== undefined

export function newCondition(type: string, status: 'True' | 'False', reason: string, message: string, nowMs: number): JobCondition {
  const time = formatTime(nowMs)
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message }
}

/**
 * The conditions with this one set. The identical list if nothing changes; a condition that does not exist is not added as
 * False.
 */
export function withJobCondition(
  conditions: Conditions,
  type: string,
  status: 'True' | 'False',
  reason: string,
  message: string,
  nowMs: number,
): Conditions {
  const known = conditions.find((one) => one.type === type)
  if (known === undefined) return status === 'False' ? conditions : [...conditions, newCondition(type, status, reason, message, nowMs)]
  if (known.status === status && known.reason === reason && known.message === message) return conditions
  return conditions.map((one) => (one === known ? newCondition(type, status, reason, message, nowMs) : one))
}

/** The number of pods in these phases, terminating ones included. */
interface PhaseCounts {
  readonly running: number
  readonly pending: number
}

/** KEP-2804. Waiting: no pod is running, and at least one is pending. Running: at least one pod is running. */
export function withWorkloadConditions(conditions: Conditions, { running, pending }: PhaseCounts, nowMs: number): Conditions {
  const runs = running > 0
  const waits = !runs && pending > 0
  const waiting = waits
    ? withJobCondition(conditions, 'Waiting', 'True', 'PodsPending', 'No pod is running and at least one is pending', nowMs)
    : withJobCondition(conditions, 'Waiting', 'False', 'NotWaiting', 'A pod is running or none is pending', nowMs)
  return runs
    ? withJobCondition(waiting, 'Running', 'True', 'PodsRunning', 'At least one pod is running', nowMs)
    : withJobCondition(waiting, 'Running', 'False', 'NoPodsRunning', 'No pod is running', nowMs)
}

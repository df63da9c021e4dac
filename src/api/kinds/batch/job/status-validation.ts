// The status of a Job: counters that fit together, and conditions that only move forward. A rule applies only when one of its
// fields has changed, so that a status that was stored before the rule existed can still be written.
// Kubernetes: pkg/apis/batch/validation.ValidateJobStatusUpdate, validateJobStatus
// Kubernetes: pkg/registry/batch/job.getStatusValidationOptions
import { isConditionTrue } from '../../../machinery/conditions.ts'
import { duplicate, type FieldError, invalid, omitted, required, typed } from '../../../machinery/field-error.ts'
import { isEqualOptional } from '../../../machinery/schema/equality.ts'
import { addNegatives } from '../../../machinery/validation/counts.ts'
import { shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { Job } from '../../../types.ts'
import { countIndexes, firstCommonIndex } from './indexes.ts'

type JobStatus = NonNullable<Job['status']>

const isTrue = ({ status }: Job, type: string) => isConditionTrue(status?.conditions, type)
const isFalse = ({ status }: Job, type: string) => status?.conditions?.some((one) => one.type === type && one.status === 'False') === true

function facts(job: Job) {
  const isComplete = isTrue(job, 'Complete')
  const isFailed = isTrue(job, 'Failed')
  return {
    isComplete,
    isFailed,
    isFinished: isComplete || isFailed,
    isFailureTarget: isTrue(job, 'FailureTarget'),
    isSuccessCriteriaMet: isTrue(job, 'SuccessCriteriaMet'),
  }
}
type Facts = ReturnType<typeof facts>

export function validateJobStatusUpdate(next: Job, current: Job): FieldError[] {
  const errors: FieldError[] = []
  const now = facts(next)
  const before = facts(current)
  const status = next.status ?? {}
  addNegatives(errors, status, ['active', 'succeeded', 'failed', 'ready', 'terminating'])
  addUncountedErrors(errors, status)
  addFinishErrors(errors, next, current, now, before)
  addIndexErrors(errors, next, current.status ?? {})
  addCounterErrors(errors, status, current.status ?? {}, now, before)
  addCriteriaErrors(errors, next, now)
  addTransitionErrors(errors, next, current, now, before)
  return errors
}

const condition = (message: string) => invalid('status.conditions', omitted, message)
const milliseconds = (time: string) => Date.parse(time)
const isSameTime = (a: string | undefined, b: string | undefined) =>
  a === b || (a !== undefined && b !== undefined && milliseconds(a) === milliseconds(b))

function addUncountedErrors(errors: FieldError[], { uncountedTerminatedPods }: JobStatus): void {
  const seen = new Set<string>()
  for (const field of ['succeeded', 'failed'] as const)
    for (const [index, uid] of (uncountedTerminatedPods?.[field] ?? []).entries()) {
      const path = `status.uncountedTerminatedPods.${field}[${index}]`
      if (uid === '') errors.push(invalid(path, typed(uid), 'must not be empty'))
      else if (seen.has(uid)) errors.push(duplicate(path, typed(uid)))
      seen.add(uid)
    }
}

function addFinishErrors(errors: FieldError[], next: Job, current: Job, now: Facts, before: Facts): void {
  const status = next.status ?? {}
  const old = current.status ?? {}
  const { startTime, completionTime, uncountedTerminatedPods: uncounted } = status
  const completeChanged = now.isComplete !== before.isComplete
  const failedChanged = now.isFailed !== before.isFailed
  const finishedChanged = now.isFinished !== before.isFinished
  const startChanged = !isSameTime(startTime, old.startTime)
  const completionChanged = !isSameTime(completionTime, old.completionTime)
  if ((completeChanged || failedChanged) && now.isComplete && now.isFailed)
    errors.push(condition('cannot set Complete=True and Failed=true conditions'))
  if ((completeChanged || now.isFailureTarget !== before.isFailureTarget) && now.isComplete && now.isFailureTarget)
    errors.push(condition('cannot set Complete=True and FailureTarget=true conditions'))
  if (completeChanged || completionChanged) {
    if (completionTime !== undefined && !now.isComplete)
      errors.push(invalid('status.completionTime', completionTime, 'cannot set completionTime when there is no Complete=True condition'))
    if (completionTime === undefined && now.isComplete)
      errors.push(required('status.completionTime', 'completionTime is required for Complete jobs'))
  }
  if ((startChanged || completionChanged) && startTime && completionTime && milliseconds(completionTime) < milliseconds(startTime))
    errors.push(invalid('status.completionTime', completionTime, 'must be equal to or after `startTime`'))
  if ((failedChanged || status.failedIndexes !== old.failedIndexes) && now.isFailed && !now.isFailureTarget)
    errors.push(condition('cannot set Failed=True condition without the FailureTarget=true condition'))
  if ((completeChanged || now.isSuccessCriteriaMet !== before.isSuccessCriteriaMet) && now.isComplete && !now.isSuccessCriteriaMet)
    errors.push(condition('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'))
  if (!now.isFinished) return
  const active = status.active ?? 0
  if ((finishedChanged || active !== (old.active ?? 0)) && active > 0)
    errors.push(invalid('status.active', active, 'active>0 is invalid for finished job'))
  const neverStarts = next.spec?.suspend === true && next.spec.completions === 0
  if ((finishedChanged || startChanged) && !neverStarts && startTime === undefined)
    errors.push(required('status.startTime', 'startTime is required for finished job'))
  const uncountedChanged = !isEqualOptional('batch.UncountedTerminatedPods', uncounted, old.uncountedTerminatedPods)
  if ((finishedChanged || uncountedChanged) && (uncounted?.failed?.length ?? 0) + (uncounted?.succeeded?.length ?? 0) > 0)
    errors.push(
      invalid('status.uncountedTerminatedPods', shownStruct('batch.UncountedTerminatedPods', uncounted), 'must be empty for finished job'),
    )
}

function addIndexErrors(errors: FieldError[], { spec, status = {} }: Job, old: JobStatus): void {
  const { completedIndexes = '', failedIndexes } = status
  const completedChanged = completedIndexes !== (old.completedIndexes ?? '')
  const failedChanged = failedIndexes !== old.failedIndexes
  const wrong = (field: 'completedIndexes' | 'failedIndexes', value: string, message: string) =>
    errors.push(invalid(`status.${field}`, value, message))
  const { completions, backoffLimitPerIndex } = spec ?? {}
  const check = (field: 'completedIndexes' | 'failedIndexes', value: string) => {
    const problem = completions === undefined ? 0 : countIndexes(value, completions)
    if (typeof problem === 'string') wrong(field, value, `error parsing ${field}: ${problem}`)
  }
  if (completedChanged) check('completedIndexes', completedIndexes)
  if (failedChanged && backoffLimitPerIndex !== undefined && failedIndexes !== undefined) check('failedIndexes', failedIndexes)
  if (completedChanged && completedIndexes !== '' && spec?.completionMode !== 'Indexed')
    wrong('completedIndexes', completedIndexes, 'cannot set non-empty completedIndexes when non-indexed completion mode')
  if (failedIndexes === undefined) return
  if (failedChanged && backoffLimitPerIndex === undefined)
    wrong('failedIndexes', failedIndexes, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null')
  if ((failedChanged || completedChanged) && completions !== undefined) {
    const index = firstCommonIndex(completedIndexes, failedIndexes, completions)
    if (index !== undefined) wrong('failedIndexes', failedIndexes, `failedIndexes and completedIndexes overlap at index: ${index}`)
  }
}

function addCounterErrors(errors: FieldError[], status: JobStatus, old: JobStatus, now: Facts, before: Facts): void {
  const { terminating, ready, active = 0 } = status
  const terminatingChanged = now.isFinished !== before.isFinished || terminating !== old.terminating
  if (terminatingChanged && terminating !== undefined && terminating > 0 && now.isFinished)
    errors.push(invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job'))
  const readyChanged = ready !== old.ready || active !== (old.active ?? 0)
  if (readyChanged && ready !== undefined && ready > active)
    errors.push(invalid('status.ready', ready, 'cannot set more ready pods than active'))
}

function addCriteriaErrors(errors: FieldError[], { spec }: Job, now: Facts): void {
  if (now.isSuccessCriteriaMet && now.isFailed) errors.push(condition('cannot set SuccessCriteriaMet=True and Failed=true conditions'))
  if (now.isSuccessCriteriaMet && now.isFailureTarget)
    errors.push(condition('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'))
  if (spec?.successPolicy !== undefined && !now.isSuccessCriteriaMet && now.isComplete)
    errors.push(condition('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'))
}

function addTransitionErrors(errors: FieldError[], next: Job, current: Job, now: Facts, before: Facts): void {
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (isTrue(current, type) && !isTrue(next, type)) errors.push(condition(`cannot disable the terminal ${type}=True condition`))
  const status = next.status ?? {}
  const old = current.status ?? {}
  const { spec } = next
  const decrease = (field: 'failed' | 'succeeded') => {
    const value = status[field] ?? 0
    if (value < (old[field] ?? 0)) errors.push(invalid(`status.${field}`, value, `cannot decrease the ${field} counter`))
  }
  decrease('failed')
  // An Indexed Job whose parallelism equals its completions may be scaled down: removed indexes no longer count as succeeded.
  if (spec?.completionMode !== 'Indexed' || spec.completions !== spec.parallelism) decrease('succeeded')
  if (status.completionTime && old.completionTime && !isSameTime(status.completionTime, old.completionTime))
    errors.push(invalid('status.completionTime', status.completionTime, 'field is immutable'))
  const isResuming = isTrue(current, 'Suspended') && isFalse(next, 'Suspended')
  if (old.startTime && !isSameTime(status.startTime, old.startTime) && !isResuming && spec?.suspend !== true)
    errors.push(invalid('status.startTime', status.startTime, 'field is immutable for unsuspended job once set'))
  if (before.isSuccessCriteriaMet && !now.isSuccessCriteriaMet)
    errors.push(condition('cannot disable the SuccessCriteriaMet=True condition'))
  if (before.isComplete && !before.isSuccessCriteriaMet && now.isSuccessCriteriaMet)
    errors.push(condition('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'))
}

// Kubernetes: pkg/apis/batch/validation.ValidateCronJobCreate, ValidateCronJobUpdate, validateCronJobSpec, validateScheduleFormat
// Kubernetes: pkg/apis/batch/validation.validateTimeZone, ValidateJobTemplateSpec
import { type FieldError, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import { addNegative } from '../../../machinery/validation/counts.ts'
import { addEnumErrors } from '../../../machinery/validation/enums.ts'
import { isLongerThan } from '../../../machinery/validation/names.ts'
import { shownSelector } from '../../../machinery/validation/shown-struct.ts'
import type { CronJob } from '../../../types.ts'
import { type PodValidationOptions, podValidationOptions } from '../../core/pod/validation/options.ts'
import { addSpecErrors } from '../job/validation.ts'
import { scheduleProblem, timeZoneProblem } from './schedule-validation.ts'

type CronJobSpec = NonNullable<CronJob['spec']>

export function validateCronJob(cronJob: CronJob, { gates }: StrategyContext): FieldError[] {
  const errors = validateSpec(cronJob.spec, undefined, podValidationOptions(gates))
  const name = cronJob.metadata?.name ?? ''
  // The names of its Jobs are its name, a dash and ten digits, 63 characters at most.
  if (isLongerThan(name, 52)) errors.push(invalid('metadata.name', name, 'must be no more than 52 characters'))
  return errors
}

export function validateCronJobUpdate(next: CronJob, current: CronJob, { gates }: StrategyContext): FieldError[] {
  const options = podValidationOptions(gates, current.spec?.jobTemplate?.spec?.template)
  return validateSpec(next.spec, current.spec, options)
}

function validateSpec(spec: CronJobSpec | undefined, old: CronJobSpec | undefined, options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = []
  if (!spec?.schedule) errors.push(required('spec.schedule', ''))
  else addScheduleErrors(errors, spec.schedule, old?.schedule?.includes('TZ') === true, spec.timeZone)
  addNegative(errors, spec?.startingDeadlineSeconds, 'spec.startingDeadlineSeconds')
  if (spec?.timeZone !== undefined && spec.timeZone !== old?.timeZone) addTimeZoneErrors(errors, spec.timeZone)
  addEnumErrors(errors, spec?.concurrencyPolicy, 'batch.CronJobSpec.concurrencyPolicy', () => 'spec.concurrencyPolicy')
  const job = spec?.jobTemplate?.spec
  addSpecErrors(errors, job, 'spec.jobTemplate.spec', options)
  if (job?.selector !== undefined)
    errors.push(invalid('spec.jobTemplate.spec.selector', shownSelector(job.selector), '`selector` will be auto-generated'))
  if (job?.manualSelector === true) errors.push(notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']))
  addNegative(errors, spec?.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit')
  addNegative(errors, spec?.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit')
  return errors
}

function addScheduleErrors(errors: FieldError[], schedule: string, hadTimeZone: boolean, timeZone: string | undefined): void {
  const problem = scheduleProblem(schedule)
  if (problem !== undefined) errors.push(invalid('spec.schedule', schedule, problem))
  if (!schedule.includes('TZ')) return
  if (!hadTimeZone) errors.push(invalid('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'))
  else if (timeZone !== undefined)
    errors.push(invalid('spec.schedule', schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'))
}

function addTimeZoneErrors(errors: FieldError[], zone: string): void {
  const wrong = (message: string) => errors.push(invalid('spec.timeZone', typed(zone), message))
  if (zone === '') wrong('timeZone must be nil or non-empty string')
  else if (zone.split('/').some((part) => part === '.' || part === '..' || !/^(?!-)[A-Za-z.\-_0-9+]{1,14}$/.test(part)))
    wrong(`unknown time zone ${zone}`)
  else {
    if (zone.toLowerCase() === 'local') wrong('timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones')
    const problem = timeZoneProblem(zone)
    if (problem !== undefined) wrong(problem)
  }
}

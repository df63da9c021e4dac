// Kubernetes: pkg/printers/internalversion.printCronJob
// Kubernetes: pkg/registry/batch/cronjob.cronJobStrategy.*, cronJobStatusStrategy.*
// Kubernetes: pkg/apis/batch/v1.SetDefaults_CronJob
import { formatAge } from '../../../../base/duration.ts'
import {
  ageColumn,
  boolean,
  columnsOf,
  containerColumns,
  integer,
  nameColumn,
  selectorCell,
  selectorColumn,
  text,
} from '../../../machinery/columns/cells.ts'
import { type FieldError, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import { fill } from '../../../machinery/fields.ts'
import { isSpecChanged, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind, StrategyContext } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { addNegative } from '../../../machinery/validation/counts.ts'
import { addEnumErrors } from '../../../machinery/validation/enums.ts'
import { isLongerThan } from '../../../machinery/validation/names.ts'
import { shownSelector } from '../../../machinery/validation/shown-struct.ts'
import type { CronJob, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'
import { type PodValidationOptions, podValidationOptions } from '../../core/pod/validation/options.ts'
import { workloadNameWarnings } from '../../core/pod/warnings.ts'
import { defaultPodConditions, type JobSpec } from '../job/defaults.ts'
import { dropDisabledJobFields, jobSpecWarnings } from '../job/strategy.ts'
import { addSpecErrors } from '../job/validation.ts'
import { scheduleProblem, timeZoneProblem } from './schedule-validation.ts'

export const cronJobs: Kind<CronJob> = {
  ...resource('batch.CronJob'),
  strategy: {
    generation: true,
    generationChanges: isSpecChanged,
    defaultSpec: defaultCronJob,
    ...ownStatus('batch.CronJobStatus', (next, current, { gates }) =>
      dropDisabledJobFields(gates, next.spec?.jobTemplate.spec, current?.spec?.jobTemplate.spec),
    ),
    metadata: { onStatusUpdate: [] },
    validate: validateCronJob,
    validateUpdate: validateCronJobUpdate,
    warnings(cronJob, current) {
      const path = 'spec.jobTemplate.spec'
      const spec = cronJob.spec?.jobTemplate.spec
      if (current === undefined) return [...workloadNameWarnings(cronJob.metadata?.name ?? ''), ...jobSpecWarnings(path, spec)]
      return [
        ...(isSpecChanged(cronJob, current) ? jobSpecWarnings(path, spec) : []),
        ...(cronJob.spec?.schedule.includes('TZ')
          ? [
              'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
            ]
          : []),
      ]
    },
  },
  columns: columnsOf([
    nameColumn,
    text('Schedule', 'When it runs, in cron format.', ({ spec }) => spec?.schedule ?? ''),
    text('Timezone', 'The time zone of the schedule.', ({ spec }) => spec?.timeZone ?? '<none>'),
    boolean('Suspend', 'Whether no further jobs are started.', ({ spec }) =>
      spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
    ),
    integer('Active', 'How many of its jobs are running.', ({ status }) => status?.active?.length ?? 0),
    text('Last Schedule', 'The time since it last started a job.', ({ status }, nowMs) =>
      status?.lastScheduleTime === undefined ? '<none>' : formatAge(status.lastScheduleTime, nowMs),
    ),
    ageColumn,
    ...containerColumns<CronJob>(({ spec }) => spec?.jobTemplate?.spec?.template?.spec?.containers),
    selectorColumn(({ spec }) => selectorCell(spec?.jobTemplate?.spec?.selector)),
  ]),
}

/** Of the Job template only the pod template gets defaults: the Jobs that are created from it get their own. */
function defaultCronJob(cronJob: Writable<CronJob>): void {
  const spec = fill('batch.CronJobSpec', cronJob.spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    jobTemplate: {},
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  })
  const job = fill('batch.JobTemplateSpec', spec.jobTemplate, { metadata: {}, spec: {} as JobSpec })
  const jobSpec = fill('batch.JobSpec', job.spec, { template: {} })
  jobSpec.template = defaultPodTemplate(jobSpec.template)
  defaultPodConditions(jobSpec)
  job.spec = jobSpec
  spec.jobTemplate = job
  cronJob.spec = spec
}

// Kubernetes: pkg/apis/batch/validation.ValidateCronJobCreate, ValidateCronJobUpdate, validateCronJobSpec, validateScheduleFormat
// Kubernetes: pkg/apis/batch/validation.validateTimeZone, ValidateJobTemplateSpec
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

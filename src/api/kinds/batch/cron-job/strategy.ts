// Kubernetes: pkg/registry/batch/cronjob.cronJobStrategy.*, cronJobStatusStrategy.*
// Kubernetes: pkg/apis/batch/v1.SetDefaults_CronJob
import { fill } from '../../../machinery/fields.ts'
import { isSpecChanged, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { CronJob, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'
import { workloadNameWarnings } from '../../core/pod/warnings.ts'
import { defaultPodConditions, type JobSpec } from '../job/defaults.ts'
import { dropDisabledJobFields, jobSpecWarnings } from '../job/strategy.ts'
import { validateCronJob, validateCronJobUpdate } from './validation.ts'

export const cronJobStrategy: Strategy<CronJob> = {
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

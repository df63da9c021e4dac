import { fill } from '../../../machinery/fields.ts'
import type { CronJob, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'
import { defaultPodConditions, type JobSpec } from '../job/defaults.ts'

/** Of the Job template only the pod template gets defaults: the Jobs that are created from it get their own. */
export function defaultCronJob(cronJob: Writable<CronJob>): void {
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

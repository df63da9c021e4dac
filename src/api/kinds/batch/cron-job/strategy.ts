import { isSpecChanged, keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { CronJob } from '../../../types.ts'
import { workloadNameWarnings } from '../../core/pod/warnings.ts'
import { dropDisabledJobFields, jobSpecWarnings } from '../job/strategy.ts'
import { defaultCronJob } from './defaults.ts'
import { validateCronJob, validateCronJobUpdate } from './validation.ts'

export const cronJobStrategy: Strategy<CronJob> = {
  names: 'dns-subdomain',
  generation: true,
  generationChanges: isSpecChanged,
  defaultSpec: defaultCronJob,
  prepareForCreate(cronJob, { gates }) {
    cronJob.status = {}
    dropDisabledJobFields(gates, cronJob.spec?.jobTemplate.spec)
  },
  prepareForUpdate(next, current, { gates }) {
    keepStatus(next, current)
    dropDisabledJobFields(gates, next.spec?.jobTemplate.spec, current.spec?.jobTemplate.spec)
  },
  prepareForStatusUpdate: keepSpec,
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

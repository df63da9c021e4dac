// Kubernetes: pkg/printers/internalversion.printJob
// Kubernetes: pkg/registry/batch/job.JobToSelectableFields
// Kubernetes: pkg/apis/batch/v1.addConversionFuncs
import { formatHumanDuration } from '../../../../base/duration.ts'
import { ageColumn, columnsOf, containerColumns, nameColumn, selectorCell, selectorColumn, text } from '../../../machinery/columns/cells.ts'
import { isConditionTrue } from '../../../machinery/conditions.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { Job } from '../../../types.ts'
import { jobStrategy } from './strategy.ts'

export const jobs: Kind<Job> = {
  ...resource('batch.Job'),
  strategy: jobStrategy,
  selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
  columns: columnsOf([
    nameColumn,
    text('Status', 'How the job stands.', jobStatus),
    text('Completions', 'How many pods have succeeded, of how many.', jobCompletions),
    text('Duration', 'How long it took, or has taken so far.', jobDuration),
    ageColumn,
    ...containerColumns<Job>(({ spec }) => spec?.template?.spec?.containers),
    selectorColumn(({ spec }) => selectorCell(spec?.selector)),
  ]),
  unknownFieldMessage: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
}

function jobStatus(job: Job): string {
  const has = (type: string) => isConditionTrue(job.status?.conditions, type)
  if (has('Complete')) return 'Complete'
  if (has('Failed')) return 'Failed'
  if (job.metadata?.deletionTimestamp !== undefined) return 'Terminating'
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running'
}

function jobCompletions(job: Job): string {
  const succeeded = job.status?.succeeded ?? 0
  const { completions, parallelism = 0 } = job.spec ?? {}
  if (completions !== undefined) return `${succeeded}/${completions}`
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function jobDuration(job: Job, nowMs: number): string {
  const { startTime, completionTime } = job.status ?? {}
  if (startTime === undefined) return ''
  return formatHumanDuration((completionTime === undefined ? nowMs : Date.parse(completionTime)) - Date.parse(startTime))
}

import { formatDuration } from '../../../../base/human-duration.ts'
import { ageColumn, columnsOf, containerColumns, nameColumn, selectorCell, selectorColumn, text } from '../../../machinery/columns/cells.ts'
import type { Job } from '../../../types.ts'

export const jobColumns = columnsOf<Job>([
  nameColumn,
  text('Status', 'How the job stands.', jobStatus),
  text('Completions', 'How many pods have succeeded, of how many.', jobCompletions),
  text('Duration', 'How long it took, or has taken so far.', jobDuration),
  ageColumn,
  ...containerColumns<Job>(({ spec }) => spec?.template?.spec?.containers),
  selectorColumn(({ spec }) => selectorCell(spec?.selector)),
])

function jobStatus(job: Job): string {
  const has = (type: string) => job.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false
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
  return formatDuration((completionTime === undefined ? nowMs : Date.parse(completionTime)) - Date.parse(startTime))
}

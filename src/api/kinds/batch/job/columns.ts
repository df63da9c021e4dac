import { formatDuration } from '../../../../base/human-duration.ts'
import { ageColumn, ageOf, containerCells, nameColumn, nameOf, selectorCell, text, wideColumns } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { Job } from '../../../types.ts'

export const jobColumns: Columns<Job> = {
  definitions: [
    nameColumn,
    text('Status', 'How the job stands.'),
    text('Completions', 'How many pods have succeeded, of how many.'),
    text('Duration', 'How long it took, or has taken so far.'),
    ageColumn,
    ...wideColumns,
  ],
  cells: (job, nowMs) => [
    nameOf(job),
    jobStatus(job),
    jobCompletions(job),
    jobDuration(job, nowMs),
    ageOf(job, nowMs),
    ...containerCells(job.spec?.template?.spec?.containers),
    selectorCell(job.spec?.selector),
  ],
}

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

// Which finished Jobs exceed the history limits of a CronJob.
// Kubernetes: pkg/controller/cronjob.ControllerV2.cleanupFinishedJobs, ControllerV2.removeOldestJobs, deleteJob
import type { CronJob, Job, Stored } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import { finishedCondition } from '../../job/plan/conditions.ts'

export function planHistory({ spec }: CronJob, jobs: readonly Stored<Job>[]): readonly Stored<Job>[] {
  const ended = (type: string) => jobs.filter((job) => finishedCondition(job)?.type === type)
  return [...oldest(ended('Complete'), spec?.successfulJobsHistoryLimit), ...oldest(ended('Failed'), spec?.failedJobsHistoryLimit)]
}

/** All but the newest `limit` Jobs; none without a limit. */
function oldest(jobs: readonly Stored<Job>[], limit: number | undefined): readonly Stored<Job>[] {
  if (limit === undefined || jobs.length <= limit) return []
  return [...jobs].sort(compareStart).slice(0, jobs.length - limit)
}

/** A Job that never started counts as the newest. */
function compareStart(a: Stored<Job>, b: Stored<Job>): number {
  const byTime = startOf(a) - startOf(b)
  if (byTime !== 0) return byTime
  return a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0
}

const startOf = ({ status }: Job) => (status?.startTime === undefined ? Number.MAX_SAFE_INTEGER : parseTime(status.startTime))

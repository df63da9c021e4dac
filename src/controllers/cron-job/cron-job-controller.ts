// The CronJob controller: creates a Job whenever one is due, and deletes old ones.
// Kubernetes: pkg/controller/cronjob.ControllerV2.sync, ControllerV2.addJob, ControllerV2.updateJob, ControllerV2.deleteJob
// Kubernetes: pkg/controller/cronjob.ControllerV2.updateCronJob, ControllerV2.getCronJobJobsByIndexer
import { cronJobs as cronJobKind, jobs as jobKind } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import { ignoring, isNamespaceTerminating, isStatusError } from '../../api/machinery/status-error.ts'
import type { CronJob, Job, Stored } from '../../api/types.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Client } from '../../client/client.ts'
import { buildController, owned, type ReconcileContext } from '../../runtime/controller.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import type { ReconcileResult } from '../../runtime/workers.ts'
import { isFinished } from '../job/plan/conditions.ts'
import { planHistory } from './plan/history.ts'
import {
  type CronJobPlan,
  type CronJobStatus,
  isSameStatus,
  type PlannedRun,
  planCronJob,
  statusAfterRun,
  withoutActive,
} from './plan/plan.ts'
import { nextRunDelayMs } from './plan/runs.ts'
import { parseSchedule } from './plan/schedule.ts'

/** The status to write after a run, with the requeue or the failure. */
interface RunOutcome {
  readonly status: CronJobStatus
  readonly requeueAfterMs?: number
  readonly error?: unknown
}

/** The component of the recorder is `cronjob-controller`. */
export function startCronJobController(options: RecordingControllerParts): RunningController {
  const { clock, informers, recorder } = options
  const jobs = informers.get(jobKind)

  const reconcile = async (cached: Stored<CronJob>, { client }: ReconcileContext): Promise<ReconcileResult | undefined> => {
    const own = jobs.byIndex('owner', cached.metadata.uid)
    const cronJob = await readFresh(client, cached, own)
    const deleted = await applyHistory(client, cronJob, own)
    const missing = await readMissing(client, cronJob, own)
    const plan = planCronJob({ cronJob, jobs: own, deleted, missing, nowMs: clock.now() })
    for (const { type, reason, message } of plan.events) recorder.record(cronJob, type, reason, message)
    const { status, requeueAfterMs, error } = await applyRun(client, cronJob, plan)
    if (!isSameStatus(status, cronJob.status)) await ignoring('NotFound', client.updateStatus(cronJobKind, { ...cronJob, status }))
    if (error !== undefined) throw error
    return requeueAfterMs !== undefined && requeueAfterMs < Number.POSITIVE_INFINITY ? { requeueAfterMs } : undefined
  }

  /** Reads the CronJob from the server if a running Job is not in its list of active Jobs: the cache may be old. */
  const readFresh = async (client: Client, cronJob: Stored<CronJob>, own: readonly Stored<Job>[]): Promise<Stored<CronJob>> => {
    const known = new Set(cronJob.status?.active?.map(({ uid }) => uid))
    if (own.every((job) => known.has(job.metadata.uid) || isFinished(job))) return cronJob
    const { namespace = '', name, uid } = cronJob.metadata
    const fresh = await client.get(cronJobKind, { namespace, name })
    return fresh.metadata.uid === uid ? fresh : cronJob
  }

  /** Uids of active Jobs that are neither in the cache nor on the server. */
  const readMissing = async (
    client: Client,
    { status, metadata }: Stored<CronJob>,
    own: readonly Stored<Job>[],
  ): Promise<ReadonlySet<string>> => {
    const known = new Set(own.map((job) => job.metadata.uid))
    const missing = new Set<string>()
    for (const { uid = '', name = '', namespace = metadata.namespace ?? '' } of status?.active ?? []) {
      if (!known.has(uid) && (await ignoring('NotFound', client.get(jobKind, { namespace, name }))) === undefined) missing.add(uid)
    }
    return missing
  }

  const applyHistory = async (client: Client, cronJob: Stored<CronJob>, own: readonly Stored<Job>[]): Promise<Set<string>> => {
    const deleted = new Set<string>()
    for (const { metadata } of planHistory(cronJob, own))
      if ((await applyDeletion(client, cronJob, metadata)) === undefined) deleted.add(metadata.uid)
    return deleted
  }

  /** Resolves to the failure, or undefined. */
  const applyDeletion = async (
    client: Client,
    cronJob: Stored<CronJob>,
    { name, namespace = '' }: { name: string; namespace?: string },
  ) => {
    try {
      await client.delete(jobKind, { namespace, name }, { propagationPolicy: 'Background' })
      recorder.record(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`)
      return undefined
    } catch (error) {
      recorder.record(cronJob, 'Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`)
      return error
    }
  }

  const applyRun = async (client: Client, cronJob: Stored<CronJob>, { status, run, requeueAfterMs }: CronJobPlan): Promise<RunOutcome> => {
    const idle = { status, ...(requeueAfterMs !== undefined && { requeueAfterMs }) }
    if (run === undefined) return idle
    const replaced = new Set<string>()
    const replacing = await applyReplacement(client, cronJob, run, replaced)
    if (replacing !== undefined) return { status: { ...status, active: withoutActive(status, replaced) }, error: replacing }
    const remaining = replaced.size === 0 ? status : { ...status, active: withoutActive(status, replaced) }
    const { namespace = '', name } = { namespace: cronJob.metadata.namespace, name: run.job.metadata?.name ?? '' }
    try {
      const job = await client.create(jobKind, namespace, run.job)
      recorder.record(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${name}`)
      return { status: statusAfterRun(remaining, job, run.scheduledAtMs, replaced), requeueAfterMs: run.requeueAfterMs }
    } catch (error) {
      if (isStatusError(error, 'AlreadyExists')) {
        // Created by an earlier run that stopped before it wrote the status; or by another owner, and then not counted.
        const job = await client.get(jobKind, { namespace, name })
        if (controllerOf(job)?.uid !== cronJob.metadata.uid) return { ...idle, status: remaining }
        return { status: statusAfterRun(remaining, job, run.scheduledAtMs, replaced), requeueAfterMs: run.requeueAfterMs }
      }
      if (!isNamespaceTerminating(error)) recorder.record(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`)
      return { status: remaining, error }
    }
  }

  /** Deletes the Jobs that the new one replaces, and adds them to `replaced`. Resolves to the first failure. */
  const applyReplacement = async (
    client: Client,
    cronJob: Stored<CronJob>,
    { replaces }: PlannedRun,
    replaced: Set<string>,
  ): Promise<unknown> => {
    for (const { name = '', namespace = cronJob.metadata.namespace ?? '', uid = '' } of replaces) {
      try {
        await client.get(jobKind, { namespace, name })
      } catch (error) {
        recorder.record(cronJob, 'Warning', 'FailedGet', `Get job: ${messageOf(error)}`)
        return error
      }
      if ((await applyDeletion(client, cronJob, { name, namespace })) !== undefined)
        return new Error(`could not replace job ${namespace}/${name}`)
      replaced.add(uid)
    }
    return undefined
  }

  /**
   * After a change of the schedule, the next run is the next time of the new schedule: past times are not made up for. A schedule
   * that has no next time is reconciled at once, which reports it.
   */
  const delayOf = (current: Stored<CronJob>, previous: Stored<CronJob> | undefined): number | undefined => {
    const isRescheduled =
      previous !== undefined && (current.spec?.schedule !== previous.spec?.schedule || current.spec?.timeZone !== previous.spec?.timeZone)
    if (!isRescheduled) return 0
    const schedule = parseSchedule(current.spec?.schedule ?? '', current.spec?.timeZone)
    if (typeof schedule === 'string') {
      const message = `unparseable schedule for cronjob: ${current.spec?.schedule}`
      recorder.record(current, 'Warning', 'UnParseableCronJobSchedule', message)
      return undefined
    }
    const waitMs = nextRunDelayMs(current, schedule, clock.now())
    return waitMs < Number.POSITIVE_INFINITY ? waitMs : 0
  }

  return buildController(options, {
    name: 'cronjob',
    for: cronJobKind,
    delayOf,
    owns: [owned({ kind: jobKind })],
    workers: 5,
    reconcile,
  })
}

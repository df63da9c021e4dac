// Makes a Job whenever a CronJob is due, and keeps the history short.
import { cronJobs as cronJobKind, jobs as jobKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { CronJob, Job, OwnerReference, Stored } from '../../api/types.ts'
import { planHistory } from '../../planners/cron-job/history.ts'
import {
  type CronJobPlan,
  type CronJobStatus,
  isSameStatus,
  type PlannedRun,
  planCronJob,
  statusAfterRun,
  withoutActive,
} from '../../planners/cron-job/plan.ts'
import { nextWakeMs } from '../../planners/cron-job/runs.ts'
import { parseSchedule } from '../../planners/cron-job/schedule.ts'
import { isFinished } from '../../planners/job/conditions.ts'
import { type RunningController, startController } from '../../runtime/controller.ts'
import type { TellingControllerParts } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { newerOf } from '../../runtime/newer.ts'

/** The recorder speaks as `cronjob-controller`. */
export type CronJobControllerOptions = TellingControllerParts

const usualWorkers = 5

/** What became of a run: the status to write, and when to look again or what went wrong. */
interface RunOutcome {
  readonly status: CronJobStatus
  readonly wakeAfterMs?: number
  readonly error?: unknown
}

export function startCronJobController(options: CronJobControllerOptions): RunningController {
  const { client, clock, informers, recorder, workers = usualWorkers, onFailure } = options
  const cronJobs = informers.get(cronJobKind)
  const jobs = informers.get(jobKind)
  const written = new Map<string, Stored<CronJob>>()
  let isSynced = false

  const controller = startController({
    queues: options.queues,
    name: 'cronjob',
    clock,
    workers,
    async reconcile(key) {
      const cached = cronJobs.get(key)
      if (cached === undefined) {
        written.delete(key)
        return undefined
      }
      const own = jobs.byIndex('owner', cached.metadata.uid)
      const cronJob = await readFresh(withKind(newerOf(cached, written.get(key))), own)
      const deleted = await applyHistory(cronJob, own)
      const plan = planCronJob({ cronJob, jobs: own, deleted, missing: await readMissing(cronJob, own), nowMs: clock.now() })
      for (const { type, reason, message } of plan.events) recorder.record(cronJob, type, reason, message)
      const { status, wakeAfterMs, error } = await applyRun(cronJob, plan)
      if (!isSameStatus(status, cronJob.status)) await applyStatus(key, cronJob, status)
      if (error !== undefined) throw error
      return wakeAfterMs !== undefined && wakeAfterMs < Number.POSITIVE_INFINITY ? { againAfterMs: wakeAfterMs } : undefined
    },
    onFailure: (key, error, failures) => {
      if (!isStatusError(error, 'Conflict') || failures >= 10) onFailure?.(`CronJob ${key}`, error)
    },
  })

  /** Asks the server when a running Job is not known as active: the copy of the CronJob may be older than that of the Job. */
  const readFresh = async (cronJob: Stored<CronJob>, own: readonly Stored<Job>[]): Promise<Stored<CronJob>> => {
    const known = new Set(cronJob.status?.active?.map(({ uid }) => uid))
    if (own.every((job) => known.has(job.metadata.uid) || isFinished(job))) return cronJob
    const { namespace = '', name, uid } = cronJob.metadata
    const fresh = await client.get(cronJobKind, { namespace, name })
    return fresh.metadata.uid === uid ? withKind(fresh) : cronJob
  }

  /** Uids of active Jobs that are neither in the copy nor on the server. */
  const readMissing = async ({ status, metadata }: Stored<CronJob>, own: readonly Stored<Job>[]): Promise<ReadonlySet<string>> => {
    const known = new Set(own.map((job) => job.metadata.uid))
    const missing = new Set<string>()
    for (const { uid = '', name = '', namespace = metadata.namespace ?? '' } of status?.active ?? []) {
      if (known.has(uid)) continue
      try {
        await client.get(jobKind, { namespace, name })
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) throw error
        missing.add(uid)
      }
    }
    return missing
  }

  const applyHistory = async (cronJob: Stored<CronJob>, own: readonly Stored<Job>[]): Promise<Set<string>> => {
    const deleted = new Set<string>()
    for (const { metadata } of planHistory(cronJob, own))
      if ((await applyDeletion(cronJob, metadata)) === undefined) deleted.add(metadata.uid)
    return deleted
  }

  /** Resolves to the failure, or undefined. */
  const applyDeletion = async (cronJob: Stored<CronJob>, { name, namespace = '' }: { name: string; namespace?: string }) => {
    try {
      await client.delete(jobKind, { namespace, name }, { propagationPolicy: 'Background' })
      recorder.record(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`)
      return undefined
    } catch (error) {
      recorder.record(cronJob, 'Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`)
      return error
    }
  }

  const applyRun = async (cronJob: Stored<CronJob>, { status, run, wakeAfterMs }: CronJobPlan): Promise<RunOutcome> => {
    const idle = { status, ...(wakeAfterMs !== undefined && { wakeAfterMs }) }
    if (run === undefined) return idle
    const replaced = new Set<string>()
    const replacing = await applyReplacement(cronJob, run, replaced)
    if (replacing !== undefined) return { status: { ...status, active: withoutActive(status, replaced) }, error: replacing }
    const remaining = replaced.size === 0 ? status : { ...status, active: withoutActive(status, replaced) }
    const { namespace = '', name } = { namespace: cronJob.metadata.namespace, name: run.job.metadata?.name ?? '' }
    try {
      const job = await client.create(jobKind, namespace, run.job)
      recorder.record(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${name}`)
      return { status: statusAfterRun(remaining, job, run.scheduledAtMs, replaced), wakeAfterMs: run.wakeAfterMs }
    } catch (error) {
      if (isStatusError(error, 'AlreadyExists')) {
        // Made before a stop that came before the status was written; or somebody else's, and then not ours to count.
        const job = await client.get(jobKind, { namespace, name })
        const isOwn = job.metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === cronJob.metadata.uid)
        if (isOwn !== true) return { ...idle, status: remaining }
        return { status: statusAfterRun(remaining, job, run.scheduledAtMs, replaced), wakeAfterMs: run.wakeAfterMs }
      }
      if (!isNamespaceTerminating(error)) recorder.record(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`)
      return { status: remaining, error }
    }
  }

  /** Deletes the Jobs that the new one replaces; those that went are in `replaced`. Resolves to the first failure. */
  const applyReplacement = async (cronJob: Stored<CronJob>, { replaces }: PlannedRun, replaced: Set<string>): Promise<unknown> => {
    for (const { name = '', namespace = cronJob.metadata.namespace ?? '', uid = '' } of replaces) {
      try {
        await client.get(jobKind, { namespace, name })
      } catch (error) {
        recorder.record(cronJob, 'Warning', 'FailedGet', `Get job: ${messageOf(error)}`)
        return error
      }
      if ((await applyDeletion(cronJob, { name, namespace })) !== undefined) return new Error(`could not replace job ${namespace}/${name}`)
      replaced.add(uid)
    }
    return undefined
  }

  const applyStatus = async (key: string, cronJob: Stored<CronJob>, status: CronJobStatus) => {
    try {
      written.set(key, await client.updateStatus(cronJobKind, { ...cronJob, status }))
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
    }
  }

  const { queue } = controller
  cronJobs.onChange((current, previous) => {
    if (!isSynced) return
    const key = keyOf(current ?? previous!)
    const isMoved =
      current !== undefined &&
      previous !== undefined &&
      (current.spec?.schedule !== previous.spec?.schedule || current.spec?.timeZone !== previous.spec?.timeZone)
    if (!isMoved) {
      // What the controller has written itself is no news to it.
      if (current === undefined || written.get(key)?.metadata.resourceVersion !== current.metadata.resourceVersion) queue.add(key)
      return
    }
    // A new schedule counts from its next time on: what it would have meant in the past is not made up for.
    const schedule = parseSchedule(current.spec?.schedule ?? '', current.spec?.timeZone)
    if (typeof schedule === 'string')
      recorder.record(
        withKind(current),
        'Warning',
        'UnParseableCronJobSchedule',
        `unparseable schedule for cronjob: ${current.spec?.schedule}`,
      )
    else {
      const waitMs = nextWakeMs(current, schedule, clock.now())
      if (waitMs < Number.POSITIVE_INFINITY) queue.addAfter(key, waitMs)
    }
  })

  jobs.onChange((current, previous) => {
    if (!isSynced) return
    for (const job of [current, previous]) {
      const owner = readOwner(job)
      if (owner !== undefined) queue.add(owner)
    }
  })

  const readOwner = (job: Stored<Job> | undefined): string | undefined => {
    const owner: OwnerReference | undefined = job?.metadata.ownerReferences?.find(({ controller }) => controller === true)
    if (owner?.kind !== 'CronJob') return undefined
    const key = `${job?.metadata.namespace ?? ''}/${owner.name}`
    return cronJobs.get(key)?.metadata.uid === owner.uid ? key : undefined
  }

  return {
    synced: Promise.all([cronJobs.synced, jobs.synced]).then(() => {
      isSynced = true
      for (const cronJob of cronJobs.values()) queue.add(keyOf(cronJob))
    }),
    stop: () => controller.stop(),
  }
}

/** Events need to say what they are about. */
const withKind = (cronJob: Stored<CronJob>): Stored<CronJob> =>
  cronJob.kind !== undefined && cronJob.apiVersion !== undefined ? cronJob : { ...cronJob, kind: 'CronJob', apiVersion: 'batch/v1' }

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const isNamespaceTerminating = (error: unknown) =>
  isStatusError(error) && error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true

// Runs Jobs: gives each the pods that it needs, counts those that end, and says how it goes.
import { jobs as jobKind, pods as podKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { Job, OwnerReference, Pod, Stored } from '../../api/types.ts'
import { isEqual } from '../../api/validation/equality.ts'
import { matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import { invalidAnnotationReason, terminatingAsActiveOf } from '../../planners/annotations.ts'
import { type Backoff, noBackoff } from '../../planners/job/backoff.ts'
import { adoptionPatch, controllerOf, planClaim, releasePatch, withoutTrackingPatch } from '../../planners/job/claim.ts'
import { finishedCondition, isFinished } from '../../planners/job/conditions.ts'
import { planJob } from '../../planners/job/plan.ts'
import { isTracked, type JobPod } from '../../planners/job/pods.ts'
import { planJobStatus } from '../../planners/job/status.ts'
import { isTerminal } from '../../planners/pods/pod-state.ts'
import type { RunningController } from '../../runtime/controller.ts'
import { type ReconcileResult, startController } from '../../runtime/controller.ts'
import type { WorkloadControllerParts } from '../../runtime/controller-parts.ts'
import { Expectations, patienceMs } from '../../runtime/expectations.ts'
import { keyOf } from '../../runtime/informer.ts'
import { newerOf } from '../../runtime/newer.ts'
import { applyRelease, applyStep, type JobWriter } from './apply.ts'
import { type JobMetrics, noJobMetrics } from './metrics.ts'
import { OwnWrites } from './own-writes.ts'
import { recordPodMetrics, recordStatusMetrics } from './record-metrics.ts'

/** The recorder speaks as `job-controller`. */
export interface JobControllerOptions extends WorkloadControllerParts {
  readonly metrics?: JobMetrics
}

const usualWorkers = 5
/** Changes of pods are gathered for a second, as in Kubernetes: a Job of many pods is looked at once for all of them. */
const batchMs = 1000
const ownName = 'kubernetes.io/job-controller'

export function startJobController(options: JobControllerOptions): RunningController {
  const { client, clock, gates, informers, recorder, metrics = noJobMetrics, workers = usualWorkers, onFailure } = options
  const jobs = informers.get(jobKind)
  const pods = informers.get(podKind)
  const expectations = new Expectations(clock)
  const writes = new OwnWrites()
  const backoffs = new Map<string, Backoff>()
  const toldProblems = new Map<string, string>()
  let isSynced = false

  const isManagedElsewhere = ({ spec }: Job) => spec?.managedBy !== undefined && spec.managedBy !== ownName
  const isOrdinary = (error: unknown, failures: number) => isStatusError(error, 'Conflict') && failures < 10

  const controller = startController({
    queues: options.queues,
    name: 'job',
    clock,
    workers,
    async reconcile(key) {
      const cached = jobs.get(key)
      if (cached === undefined) {
        forget(key)
        return undefined
      }
      const job = withKind(writes.newest(key, cached))
      if (isManagedElsewhere(job)) return undefined
      if (isFinished(job)) {
        backoffs.delete(key)
        return undefined
      }
      const { completionMode = 'NonIndexed' } = job.spec!
      if (completionMode !== 'NonIndexed' && completionMode !== 'Indexed') {
        recorder.record(job, 'Warning', 'UnknownCompletionMode', 'Skipped Job sync because completion mode is unknown')
        return undefined
      }
      tellProblem(key, job)
      const startedAtMs = clock.now()
      const report = { action: 'reconciling', result: 'error' }
      try {
        const result = await runSync(key, job, report)
        report.result = 'success'
        return result
      } finally {
        const labels = { completion_mode: completionMode, result: report.result, action: report.action }
        metrics.count('job_controller_job_syncs_total', labels)
        metrics.observe('job_controller_job_sync_duration_seconds', labels, (clock.now() - startedAtMs) / 1000)
      }
    },
    onFailure: (key, error, failures) => {
      if (!isOrdinary(error, failures)) onFailure?.(`Job ${key}`, error)
    },
  })

  const runSync = async (key: string, job: Stored<Job>, report: { action: string }): Promise<ReconcileResult | undefined> => {
    // All at one moment, before anything is waited for: what the copy of the pods does not show is in the other three.
    const hidden = expectations.outstandingCreations(key)
    const released = new Set(writes.released(key))
    const deleted = new Set(writes.deleted(key))
    const owned = await readOwnPods(job)
    const plan = planJob({
      job,
      pods: owned,
      gates,
      nowMs: clock.now(),
      hidden,
      released,
      deleted,
      backoff: backoffs.get(key) ?? noBackoff,
    })
    report.action = plan.action
    const writer: JobWriter = { client, recorder, expectations, writes, pods, key, job }
    const outcome = await applyStep(writer, plan)
    const next = planJobStatus(plan, outcome)
    recordPodMetrics(metrics, plan, outcome)
    if (next.status !== undefined) {
      const stored = await applyStatus({ ...job, status: next.status })
      if (stored === undefined) return undefined
      const seen = jobs.get(key)
      // What the copy shows already need not be remembered.
      if (seen !== undefined && newerOf(seen, stored) === stored) writes.wroteJob(key, stored)
      backoffs.set(key, plan.facts.nextBackoff)
      recordStatusMetrics(metrics, job, next)
      for (const { type, reason, message } of next.events) recorder.record(withKind(stored), type, reason, message)
    }
    const failures = await Promise.all(next.release.map((pod) => applyRelease(writer, pod)))
    const failure = outcome.error ?? failures.find((error) => error !== undefined)
    if (failure !== undefined) throw failure
    if (next.again) return { againAfterMs: 0 }
    const againAfterMs = Math.min(
      plan.wakeAtMs === undefined ? Number.POSITIVE_INFINITY : plan.wakeAtMs - clock.now(),
      hidden === 0 ? Number.POSITIVE_INFINITY : patienceMs + 1,
    )
    return againAfterMs < Number.POSITIVE_INFINITY ? { againAfterMs } : undefined
  }

  /** Undefined when the Job is gone. */
  const applyStatus = async (job: Stored<Job>): Promise<Stored<Job> | undefined> => {
    try {
      return await client.updateStatus(jobKind, job)
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined
      throw error
    }
  }

  /** The pods that the Job controls, after taking over orphans and letting go of what it no longer selects. */
  const readOwnPods = async (job: Stored<Job>): Promise<readonly JobPod[]> => {
    const { namespace = '', uid } = job.metadata
    const selector = selectorRequirements(job.spec?.selector)
    if (selector === undefined) return []
    const { owned, adopt, release } = planClaim(job, selector, [...pods.byIndex('owner', uid), ...pods.byIndex('orphan', namespace)])
    if (adopt.length === 0 && release.length === 0) return owned
    if (adopt.length > 0) await recheck(job)
    const results = await Promise.allSettled([
      ...adopt.map((pod) => applyPatch(pod, adoptionPatch(job, pod))),
      ...release.map((pod) => applyPatch(pod, releasePatch(job, pod)).then(() => undefined)),
    ])
    const taken: JobPod[] = []
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason
      if (result.value !== undefined) taken.push(result.value)
    }
    return [...owned, ...taken]
  }

  /** A Job that goes must not take others' pods with it: the server knows, the copy may not. */
  const recheck = async ({ metadata: { namespace = '', name, uid } }: Stored<Job>) => {
    const { metadata } = await client.get(jobKind, { namespace, name })
    if (metadata.uid !== uid) throw new Error(`original Job ${namespace}/${name} is gone: got uid ${metadata.uid}, wanted ${uid}`)
    if (metadata.deletionTimestamp !== undefined)
      throw new Error(`${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`)
  }

  const applyPatch = async ({ metadata }: JobPod, patch: unknown): Promise<JobPod | undefined> => {
    try {
      return await client.patch(podKind, { namespace: metadata.namespace ?? '', name: metadata.name }, 'strategic', patch)
    } catch (error) {
      if (isStatusError(error, 'NotFound') || isStatusError(error, 'Invalid')) return undefined
      throw error
    }
  }

  /** Pods that nobody counts any more keep no finalizer: those without a Job, and those of Jobs that have ended. */
  const orphans = startController({
    queues: options.queues,
    name: 'job_orphan_pod',
    clock,
    workers,
    async reconcile(key) {
      const pod = pods.get(key)
      if (pod === undefined || !isTracked(pod)) return undefined
      const owner = controllerOf(pod)
      if (owner !== undefined) {
        if (owner.kind !== 'Job' || owner.apiVersion !== 'batch/v1') return undefined
        const job = readJob(owner, pod.metadata.namespace)
        if (job !== undefined && (isManagedElsewhere(job) || !isFinished(job))) return undefined
      }
      await applyPatch(pod, withoutTrackingPatch)
      return undefined
    },
    onFailure: (key, error, failures) => {
      if (!isOrdinary(error, failures)) onFailure?.(`Pod ${key} without a Job`, error)
    },
  })

  const readJob = (owner: OwnerReference | undefined, namespace = ''): Stored<Job> | undefined => {
    if (owner?.kind !== 'Job') return undefined
    const job = jobs.get(`${namespace}/${owner.name}`)
    return job?.metadata.uid === owner.uid ? job : undefined
  }

  const tellProblem = (key: string, job: Stored<Job>) => {
    const problem = gates.TerminatingAsActive ? (terminatingAsActiveOf(job).problem ?? '') : ''
    if ((toldProblems.get(key) ?? '') === problem) return
    if (problem === '') toldProblems.delete(key)
    else {
      toldProblems.set(key, problem)
      recorder.record(job, 'Warning', invalidAnnotationReason, problem)
    }
  }

  const forget = (key: string) => {
    expectations.forget(key)
    writes.forget(key)
    backoffs.delete(key)
    toldProblems.delete(key)
  }

  const { queue } = controller
  const addSoon = (job: Stored<Job>) => queue.addAfter(keyOf(job), batchMs)
  const addOrphansOf = (job: Stored<Job>) => {
    const released = writes.released(keyOf(job))
    for (const pod of pods.byIndex('owner', job.metadata.uid))
      if (isTracked(pod) && !released.has(pod.metadata.uid)) orphans.queue.add(keyOf(pod))
  }

  jobs.onChange((current, previous) => {
    if (!isSynced) return
    const key = keyOf(current ?? previous!)
    if (current === undefined) {
      addOrphansOf(previous!)
      forget(key)
      // Once more, after whatever is being done for it now.
      queue.add(key)
      return
    }
    if (previous === undefined) {
      if (isManagedElsewhere(current))
        metrics.count('job_controller_jobs_by_external_controller_total', { controller_name: current.spec?.managedBy ?? '' })
      queue.add(key)
      return
    }
    if (isFinished(current)) {
      // It should have none left; this is for those that came late.
      addOrphansOf(current)
      forget(key)
    } else if (current.metadata.generation !== previous.metadata.generation) queue.add(key)
    // What the controller has written itself is no news to it.
    else if (!writes.isOwn(key, current)) addSoon(current)
  })

  pods.onChange((current, previous) => {
    recordTracked(current, previous)
    if (!isSynced) return
    const pod = (current ?? previous)!
    const { uid, namespace } = pod.metadata
    const owner = controllerOf(pod)
    const formerOwner = previous === undefined ? owner : controllerOf(previous)
    const isOwnerChanged = owner?.uid !== formerOwner?.uid
    if (isOwnerChanged) {
      const former = readJob(formerOwner, namespace)
      if (former !== undefined) {
        writes.observePod(keyOf(former), uid, current)
        addSoon(former)
      }
    }
    const isGoing = current === undefined || pod.metadata.deletionTimestamp !== undefined
    const job = readJob(owner, namespace)
    if (current !== undefined && isTracked(current) && isUncountable(owner, job, isGoing)) orphans.queue.add(keyOf(current))
    if (owner === undefined) {
      const isNew = previous === undefined || isOwnerChanged || !isEqual(pod.metadata.labels, previous.metadata.labels)
      if (!isGoing && isNew) for (const selecting of readJobsThatSelect(pod)) addSoon(selecting)
      return
    }
    if (job === undefined) return
    const key = keyOf(job)
    if (previous === undefined && !isGoing) expectations.creationObserved(key)
    writes.observePod(key, uid, current)
    addSoon(job)
  })

  /** Nobody will count the pod: it has no Job, or one that has ended. */
  const isUncountable = (owner: OwnerReference | undefined, job: Stored<Job> | undefined, isGoing: boolean) =>
    owner === undefined || (isGoing && owner.kind === 'Job' && (job === undefined || isFinished(job)))

  function* readJobsThatSelect({ metadata }: Stored<Pod>): Iterable<Stored<Job>> {
    for (const job of jobs.byIndex('namespace', metadata.namespace ?? '')) {
      const selector = selectorRequirements(job.spec?.selector)
      if (selector !== undefined && matchesLabels(selector, metadata.labels)) yield job
    }
  }

  const recordTracked = (current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined) => {
    const was = previous !== undefined && isTerminal(previous) && isTracked(previous)
    const is = current !== undefined && isTerminal(current) && isTracked(current)
    if (was !== is) metrics.count('job_controller_terminated_pods_tracking_finalizer_total', { event: is ? 'add' : 'delete' })
  }

  return {
    synced: Promise.all([jobs.synced, pods.synced]).then(() => {
      isSynced = true
      for (const job of jobs.values()) {
        if (finishedCondition(job) === undefined) queue.add(keyOf(job))
        else addOrphansOf(job)
      }
      for (const pod of pods.values()) {
        const owner = controllerOf(pod)
        if (isTracked(pod) && (owner === undefined || (owner.kind === 'Job' && readJob(owner, pod.metadata.namespace) === undefined)))
          orphans.queue.add(keyOf(pod))
      }
    }),
    async stop() {
      await Promise.all([controller.stop(), orphans.stop()])
    },
  }
}

/** Events need to say what they are about. */
const withKind = (job: Stored<Job>): Stored<Job> =>
  job.kind !== undefined && job.apiVersion !== undefined ? job : { ...job, kind: 'Job', apiVersion: 'batch/v1' }

// The Job controller: creates the pods of Jobs, counts those that finish, and updates the status.
// Kubernetes: pkg/controller/job.Controller.syncJob, Controller.updateJob, Controller.updatePod, Controller.syncOrphanPod
// Kubernetes: pkg/controller/job.Controller.getPodsForJob, managedByExternalController
import { jobs as jobKind, pods as podKind } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { Job, Pod, Stored } from '../../api/types.ts'
import { matchesLabels } from '../../base/label-selector.ts'
import type { Client } from '../../client/client.ts'
import { buildController, owned, type ReconcileContext, watched } from '../../runtime/controller.ts'
import type { RunningController, WorkloadControllerParts } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { together } from '../../runtime/together.ts'
import { type ReconcileResult, requeueAt } from '../../runtime/workers.ts'
import { applyClaims } from '../shared/adoption.ts'
import { AnnotationProblems } from '../shared/annotation-problems.ts'
import { cachedController } from '../shared/cached-controller.ts'
import { terminatingAsActiveOf } from '../shared/plan/annotations.ts'
import { isTerminal } from '../shared/plan/pod-state.ts'
import { requirementsOf } from '../shared/plan/selectors.ts'
import { applyRelease, applyStep, type JobWriter } from './apply.ts'
import { type JobMetrics, noJobMetrics } from './metrics.ts'
import { type Backoff, noBackoff } from './plan/backoff.ts'
import { isFinished } from './plan/conditions.ts'
import { planJob } from './plan/plan.ts'
import { isTracked, type JobPod, trackingFinalizer } from './plan/pods.ts'
import { planJobStatus } from './plan/status.ts'
import { recordPodMetrics, recordStatusMetrics } from './record-metrics.ts'

/** The component of the recorder is `job-controller`. */
interface JobControllerOptions extends WorkloadControllerParts {
  readonly metrics?: JobMetrics
}

const defaultWorkers = 5
/** As in Kubernetes, changes of pods are collected for a second, so that a Job is reconciled once for many of them. */
const batchMs = 1000
/** As in Kubernetes: a Job whose pods a quota refuses is tried again every minute at least, and not many times in the first second. */
const retryDelays = { firstMs: 1000, maxMs: 60_000 }
const controllerName = 'kubernetes.io/job-controller'

export function startJobController(options: JobControllerOptions): RunningController {
  const { clock, gates, informers, recorder, metrics = noJobMetrics } = options
  const jobs = informers.get(jobKind)
  const pods = informers.get(podKind)
  const backoffs = new Map<string, Backoff>()
  const problems = new AnnotationProblems(recorder)

  const reconcile = async (job: Stored<Job>, { key, client }: ReconcileContext): Promise<ReconcileResult | undefined> => {
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
    if (gates.TerminatingAsActive) problems.report(key, job, [terminatingAsActiveOf(job).problem])
    const startedAtMs = clock.now()
    const report = { action: 'reconciling', result: 'error' }
    try {
      const result = await runSync(client, key, job, report)
      report.result = 'success'
      return result
    } finally {
      const labels = { completion_mode: completionMode, result: report.result, action: report.action }
      metrics.count('job_controller_job_syncs_total', labels)
      metrics.observe('job_controller_job_sync_duration_seconds', labels, (clock.now() - startedAtMs) / 1000)
    }
  }

  const runSync = async (
    client: Client,
    key: string,
    job: Stored<Job>,
    report: { action: string },
  ): Promise<ReconcileResult | undefined> => {
    const ownPods = await claimPods(client, job)
    const plan = planJob({ job, pods: ownPods, gates, nowMs: clock.now(), backoff: backoffs.get(key) ?? noBackoff })
    report.action = plan.action
    const writer: JobWriter = { client, recorder, job }
    const outcome = await applyStep(writer, plan)
    const next = planJobStatus(plan, outcome)
    recordPodMetrics(metrics, plan, outcome)
    if (next.status !== undefined) {
      const stored = await ignoring('NotFound', client.updateStatus(jobKind, { ...job, status: next.status }))
      if (stored === undefined) return undefined
      backoffs.set(key, plan.facts.nextBackoff)
      recordStatusMetrics(metrics, job, next)
      for (const { type, reason, message } of next.events) recorder.record(stored, type, reason, message)
    }
    const failures = await Promise.all(next.release.map((pod) => applyRelease(writer, pod)))
    const failure = outcome.error ?? failures.find((error) => error !== undefined)
    if (failure !== undefined) throw failure
    if (next.requeue) return { requeueAfterMs: 0 }
    return requeueAt(plan.requeueAtMs, clock)
  }

  /** The pods that the Job controls, after adopting orphans and releasing what it no longer selects. */
  const claimPods = async (client: Client, job: Stored<Job>): Promise<readonly JobPod[]> => {
    if (job.spec?.selector === undefined) return []
    const adopter = { client, resource: jobKind, owner: job, finalizer: trackingFinalizer }
    return applyClaims(adopter, podKind, pods, (pod) => selectsPod(job, pod))
  }

  const selectsPod = ({ spec }: Stored<Job>, { metadata }: Stored<Pod>): boolean => {
    const selector = requirementsOf(spec?.selector)
    return selector !== undefined && matchesLabels(selector, metadata.labels)
  }

  jobs.onChange((current, previous) => {
    if (current === undefined || previous !== undefined || !isManagedElsewhere(current)) return
    metrics.count('job_controller_jobs_by_external_controller_total', { controller_name: current.spec?.managedBy ?? '' })
  })
  pods.onChange((current, previous) => {
    const was = previous !== undefined && isTerminal(previous) && isTracked(previous)
    const is = current !== undefined && isTerminal(current) && isTracked(current)
    if (was !== is) metrics.count('job_controller_terminated_pods_tracking_finalizer_total', { event: is ? 'add' : 'delete' })
  })

  const controller = buildController(options, {
    name: 'job',
    for: jobKind,
    delayOf: (current, previous) => (current.metadata.generation === previous?.metadata.generation ? batchMs : 0),
    owns: [owned<Job, Pod>({ kind: podKind, selects: selectsPod, delayMs: () => batchMs })],
    workers: defaultWorkers,
    retryDelays,
    reconcile,
    state: [backoffs, problems],
  })
  return together([controller, startOrphanRelease(options)])
}

const isManagedElsewhere = ({ spec }: Job) => spec?.managedBy !== undefined && spec.managedBy !== controllerName

/** Removes the tracking finalizer from pods that no Job will count: those without a Job, and those of finished Jobs. */
function startOrphanRelease(options: JobControllerOptions): RunningController {
  const jobs = options.informers.get(jobKind)
  const pods = options.informers.get(podKind)

  const isUncountable = (pod: Stored<Pod>): boolean => {
    if (!isTracked(pod)) return false
    const owner = controllerOf(pod)
    if (owner === undefined) return true
    if (owner.kind !== 'Job' || owner.apiVersion !== 'batch/v1') return false
    const job = cachedController(jobs, 'Job', pod)
    return job === undefined || (!isManagedElsewhere(job) && isFinished(job))
  }

  return buildController(options, {
    name: 'job_orphan_pod',
    for: podKind,
    delayOf: (pod) => (isUncountable(pod) ? 0 : undefined),
    watches: [
      watched(jobKind, (current, previous) => {
        if (current !== undefined && !isFinished(current)) return []
        return pods
          .byIndex('owner', (current ?? previous)!.metadata.uid)
          .filter(isTracked)
          .map(keyOf)
      }),
    ],
    workers: defaultWorkers,
    retryDelays,
    async reconcile(pod, { client }) {
      const failure = isUncountable(pod) ? await applyRelease({ client }, pod) : undefined
      if (failure !== undefined) throw failure
    },
  })
}

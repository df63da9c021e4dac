// Rollcall's workload controllers on any Kubernetes API server, in place of the built-in ones. Only what the proposals are
// about is started: no garbage collector, no node lifecycle, no event expiry.
//
// Guarantees: nothing is written before leadership is held, nor after it is lost, also not by a process that was suspended
// and wakes up; the caches of a replica that stands by are warm.

import {
  controllerRevisions,
  cronJobs,
  daemonSets,
  deployments,
  jobs,
  nodes,
  persistentVolumeClaims,
  pods,
  replicaSets,
  replicationControllers,
  statefulSets,
} from '../../api/kinds.ts'
import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import { LabelledMetrics } from '../../base/metrics.ts'
import type { Random } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import { startCronJobController } from '../../controllers/cron-job/cron-job-controller.ts'
import { startDaemonSetController } from '../../controllers/daemon-set/daemon-set-controller.ts'
import { startDeploymentController } from '../../controllers/deployment/deployment-controller.ts'
import type { PlanReasons } from '../../controllers/deployment/plan/reasons.ts'
import { startJobController } from '../../controllers/job/job-controller.ts'
import { jobCounters, jobDurations } from '../../controllers/job/metrics.ts'
import { startTtlController } from '../../controllers/job/time-to-live-controller.ts'
import { startReplicaSetController, startReplicationControllerController } from '../../controllers/replica-set/replica-set-controller.ts'
import { startStatefulSetController } from '../../controllers/stateful-set/stateful-set-controller.ts'
import type { RunningController } from '../../runtime/controller-parts.ts'
import { createEventRecorder, type EventRecorder } from '../../runtime/event-recorder.ts'
import { QueueMetrics } from '../../runtime/queue-metrics.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import type { ControllerParts } from '../controllers.ts'
import { wrapWrites } from '../wrapped-calls.ts'
import { type ControllerName, eventComponentOf } from './controller-names.ts'
import type { ElectedWork } from './elected-process.ts'
import { FightDetector, leftAloneMs } from './fight-detector.ts'
import { NotLeadingError, unlessNotLeading } from './not-leading-error.ts'
import { isProbe } from './preflight.ts'

interface RemoteControllersOptions {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly gates: FeatureGates
  readonly controllers: readonly ControllerName[]
  /** The manager of this process' writes. */
  readonly manager: string
  /** Objects that are reconciled at a time, for each controller. Default: 5. */
  readonly workers?: number
  /**
   * The server has no `terminatingReplicas`: terminating pods are counted here, and the count is not written. A server that has the
   * field but drops it, because its feature gate is off, is noticed by its answers.
   */
  readonly lacksTerminatingReplicas?: boolean
  /** Whether writes may be sent at this moment. */
  mayWrite(): boolean
  /** Another manager also writes the status of an object, which is left alone for a while. */
  onFight(kind: string, object: KubernetesObject, manager: string): void
  onFailure(what: string, error: unknown): void
  /** Called with the reasons of each plan for a Deployment. */
  onPlan(key: string, reasons: PlanReasons): void
}

/**
 * A busy object is reconciled ten times a second at most. Each pod that becomes ready would otherwise be a status write of its own.
 */
const minIntervalMs = 100

/** As in kube-controller-manager: while a key waits for a worker, further changes join it, and fewer statuses are written. */
const defaultWorkers = 5

type Parts = ControllerParts & Pick<RemoteControllersOptions, 'onPlan'> & { readonly countTerminatingPods: () => boolean }

interface RemoteController {
  start(parts: Parts): RunningController
  /** What it reconciles, and then what else it reads. */
  readonly kinds: readonly Kind[]
}

const remote = (start: RemoteController['start'], ...kinds: readonly unknown[]): RemoteController => ({
  start,
  kinds: kinds as readonly Kind[],
})

const remoteControllers: Readonly<Record<ControllerName, RemoteController>> = {
  deployment: remote(startDeploymentController, deployments, replicaSets, pods),
  replicaset: remote(startReplicaSetController, replicaSets, pods),
  replicationcontroller: remote(startReplicationControllerController, replicationControllers, pods),
  statefulset: remote(startStatefulSetController, statefulSets, pods, persistentVolumeClaims, controllerRevisions),
  daemonset: remote(startDaemonSetController, daemonSets, pods, nodes, controllerRevisions),
  job: remote(startJobController, jobs, pods),
  cronjob: remote(startCronJobController, cronJobs, jobs),
  'ttl-after-finished': remote(startTtlController, jobs),
}

const kindOf = (name: ControllerName): Kind => remoteControllers[name].kinds[0]!

export function createRemoteControllers(options: RemoteControllersOptions): ElectedWork {
  const { clock, random, gates, controllers, onFailure } = options
  const wanted = new Map(controllers.map((name) => [kindOf(name).kind, name]))
  const recorders = new Map<string, EventRecorder>()
  const fights = new FightDetector({
    clock,
    ownManager: options.manager,
    onFight(kind, object, manager) {
      options.onFight(kind, object, manager)
      const minutes = leftAloneMs / 60_000
      const what = `"${manager}" also writes the status of this object: it is not reconciled for ${minutes} minutes`
      recorders.get(kind)?.record({ ...object, kind }, 'Warning', 'StatusConflict', what)
    },
  })
  const informers = new SharedInformers({
    client: options.client,
    clock,
    random,
    ownerOfObjects: 'informer',
    onReceived: (kind, object) => {
      if (wanted.has(kind.kind)) fights.observe(kind.kind, object)
    },
    readsManagedFields: (kind) => wanted.has(kind.kind),
    onFailure,
  })
  for (const name of controllers)
    informers.get(kindOf(name)).onChange((current, previous) => {
      if (current === undefined) fights.forget(previous!.metadata.uid)
    })
  const queues = new QueueMetrics(clock)
  const jobMetrics = new LabelledMetrics(jobCounters, jobDurations)

  let lacksTerminatingReplicas = options.lacksTerminatingReplicas ?? false
  // The counts of another ReplicaSet controller are not relied upon.
  const countsTerminatingPods = () => lacksTerminatingReplicas || !controllers.includes('replicaset')
  const observed = observeStatusWrites(options.client, (sent, stored) => {
    if (sent?.terminatingReplicas !== undefined && stored?.terminatingReplicas === undefined) lacksTerminatingReplicas = true
  })

  /** The client of one controller: nothing is sent without leadership. */
  const clientOf = (name: ControllerName): Client =>
    wrapWrites(name === 'replicaset' ? observed : options.client, (send) =>
      options.mayWrite() ? send() : Promise.reject(new NotLeadingError()),
    )

  const report = unlessNotLeading(onFailure)

  const replicaSetGates: FeatureGates = {
    ...gates,
    get DeploymentReplicaSetTerminatingReplicas() {
      return gates.DeploymentReplicaSetTerminatingReplicas && !lacksTerminatingReplicas
    },
  }

  const partsOf = (name: ControllerName): Parts => {
    const client = clientOf(name)
    const recorder = createEventRecorder({
      client,
      clock,
      component: eventComponentOf(name),
      // As in kube-controller-manager: on a busy server workloads have priority, and Events beyond the queue are dropped.
      concurrentWrites: 1,
      maxQueueLength: 1000,
      onFailure: report,
    })
    recorders.set(kindOf(name).kind, recorder)
    return {
      client,
      clock,
      random,
      gates: name === 'replicaset' ? replicaSetGates : gates,
      informers,
      queues,
      recorder,
      isIgnored: isProbe,
      leftAloneMs: (object) => fights.leftAloneMs(object),
      countTerminatingPods: countsTerminatingPods,
      onPlan: options.onPlan,
      metrics: jobMetrics,
      minIntervalMs,
      workers: options.workers ?? defaultWorkers,
      onFailure: report,
    }
  }

  // Asking for the informers before they start makes the caches of a standby warm.
  for (const name of controllers) for (const kind of remoteControllers[name].kinds) informers.get(kind)
  informers.start()
  let running: RunningController[] = []
  return {
    synced: informers.synced,
    get hasSynced() {
      return informers.hasSynced
    },
    get unready() {
      return fights.fights
    },
    start() {
      running = controllers.map((name) => remoteControllers[name].start(partsOf(name)))
    },
    async stop() {
      informers.stop()
      await Promise.all(running.map((controller) => controller.stop()))
    },
    metrics: () => queues.text() + jobMetrics.text(),
  }
}

type CountedStatus = { readonly terminatingReplicas?: number } | undefined

/** The client, with what was sent and what was stored reported for every write of a status. */
function observeStatusWrites(client: Client, onWrite: (sent: CountedStatus, stored: CountedStatus) => void): Client {
  return {
    ...client,
    async updateStatus(resource, object, options) {
      const stored = await client.updateStatus(resource, object, options)
      onWrite((object as { status?: CountedStatus }).status, (stored as { status?: CountedStatus }).status)
      return stored
    },
  }
}

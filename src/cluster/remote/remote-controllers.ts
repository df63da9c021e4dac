// Rollcall's workload controllers on any Kubernetes API server, in place of the built-in ones. Only what the proposals are
// about is started: no garbage collector, no node lifecycle, no event expiry.
//
// Guarantees: nothing is written before leadership is held, nor after it is lost, also not by a process that was suspended
// and wakes up; the caches of a replica that stands by are warm.

import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import { LabelledMetrics } from '../../base/metrics.ts'
import type { Random } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import type { ControllerParts, RemoteControllerDefinition } from '../../controllers/controller-definition.ts'
import type { EvictionSettings } from '../../controllers/deployment/deployment-controller.ts'
import type { PlanReasons } from '../../controllers/deployment/plan/reasons.ts'
import { jobCounters, jobDurations } from '../../controllers/job/metrics.ts'
import { replicaSetController } from '../../controllers/replica-set/definition.ts'
import type { RunningController } from '../../runtime/controller-parts.ts'
import { createEventRecorder, type EventRecorder } from '../../runtime/event-recorder.ts'
import { QueueMetrics } from '../../runtime/queue-metrics.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { evictionMetrics } from '../eviction-metrics.ts'
import { FightDetector, leftAloneMs } from '../pacer/fight-detector.ts'
import { wrapWrites } from '../wrapped-calls.ts'
import type { ElectedWork } from './elected-process.ts'
import { NotLeadingError, unlessNotLeading } from './not-leading-error.ts'
import { isProbe } from './preflight.ts'

interface RemoteControllersOptions {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly gates: FeatureGates
  readonly controllers: readonly RemoteControllerDefinition[]
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
  /** Pods of Deployments are replaced before they are evicted. */
  readonly evictions?: EvictionSettings | undefined
  /** Called with the reasons of each plan for a Deployment. */
  onPlan(key: string, reasons: PlanReasons): void
}

/**
 * A busy object is reconciled ten times a second at most. Each pod that becomes ready would otherwise be a status write of its own.
 */
const minIntervalMs = 100

/** As in kube-controller-manager: while a key waits for a worker, further changes join it, and fewer statuses are written. */
const defaultWorkers = 5

const kindOf = ({ remote }: RemoteControllerDefinition): Kind => remote.kinds[0]!

export function createRemoteControllers(options: RemoteControllersOptions): ElectedWork {
  const { clock, random, gates, controllers, onFailure } = options
  const reconciled = new Set(controllers.map((controller) => kindOf(controller).kind))
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
      if (reconciled.has(kind.kind)) fights.observe(kind.kind, object)
    },
    readsManagedFields: (kind) => reconciled.has(kind.kind),
    onFailure,
  })
  for (const controller of controllers)
    informers.get(kindOf(controller)).onChange((current, previous) => {
      if (current === undefined) fights.forget(previous!.metadata.uid)
    })
  const queues = new QueueMetrics(clock)
  const jobMetrics = new LabelledMetrics(jobCounters, jobDurations)

  let lacksTerminatingReplicas = options.lacksTerminatingReplicas ?? false
  // The counts of another ReplicaSet controller are not relied upon.
  const countsTerminatingPods = () => lacksTerminatingReplicas || !controllers.includes(replicaSetController)
  const observed = observeStatusWrites(options.client, (sent, stored) => {
    if (sent?.terminatingReplicas !== undefined && stored?.terminatingReplicas === undefined) lacksTerminatingReplicas = true
  })

  /** The client of one controller: nothing is sent without leadership. */
  const clientOf = (controller: RemoteControllerDefinition): Client =>
    wrapWrites(controller === replicaSetController ? observed : options.client, (send) =>
      options.mayWrite() ? send() : Promise.reject(new NotLeadingError()),
    )

  const report = unlessNotLeading(onFailure)

  const replicaSetGates: FeatureGates = {
    ...gates,
    get DeploymentReplicaSetTerminatingReplicas() {
      return gates.DeploymentReplicaSetTerminatingReplicas && !lacksTerminatingReplicas
    },
  }

  const partsOf = (controller: RemoteControllerDefinition): ControllerParts => {
    const client = clientOf(controller)
    const recorder = createEventRecorder({
      client,
      clock,
      component: controller.eventComponent ?? controller.name,
      // As in kube-controller-manager: on a busy server workloads have priority, and Events beyond the queue are dropped.
      concurrentWrites: 1,
      maxQueueLength: 1000,
      onFailure: report,
    })
    recorders.set(kindOf(controller).kind, recorder)
    return {
      client,
      clock,
      random,
      gates: controller === replicaSetController ? replicaSetGates : gates,
      informers,
      queues,
      recorder,
      isIgnored: isProbe,
      leftAloneMs: (object) => fights.leftAloneMs(object),
      countTerminatingPods: countsTerminatingPods,
      onPlan: options.onPlan,
      evictions: options.evictions,
      metrics: jobMetrics,
      minIntervalMs,
      workers: options.workers ?? defaultWorkers,
      onFailure: report,
    }
  }

  // Asking for the informers before they start makes the caches of a standby warm.
  for (const { remote } of controllers) for (const kind of remote.kinds) informers.get(kind)
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
      running = controllers.map((controller) => controller.start(partsOf(controller)))
    },
    async stop() {
      informers.stop()
      await Promise.all(running.map((controller) => controller.stop()))
    },
    metrics: () =>
      queues.text() +
      jobMetrics.text() +
      (options.evictions === undefined ? '' : evictionMetrics('rollcall', options.evictions.counts, clock.now())),
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

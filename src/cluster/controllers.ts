// Every controller of a cluster, started together on one set of local copies.
import type { FeatureGates } from '../api/machinery/feature-gates.ts'
import type { Kind } from '../api/machinery/kind.ts'
import type { Clock } from '../base/clock.ts'
import { LabelledMetrics } from '../base/metrics.ts'
import type { Random } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import { startClaimProtection, startVolumeProtection } from '../controllers/claim-protection/claim-protection.ts'
import { startCronJobController } from '../controllers/cron-job/cron-job-controller.ts'
import { startDaemonSetController } from '../controllers/daemon-set/daemon-set-controller.ts'
import { startDeploymentController } from '../controllers/deployment/deployment-controller.ts'
import { startDisruptionController } from '../controllers/disruption/disruption-controller.ts'
import { startEventExpiry } from '../controllers/event-expiry/event-expiry.ts'
import { startGarbageCollector } from '../controllers/garbage/garbage-collector.ts'
import { startJobController } from '../controllers/job/job-controller.ts'
import { type JobMetrics, jobCounters, jobDurations } from '../controllers/job/metrics.ts'
import { startTtlController } from '../controllers/job/time-to-live-controller.ts'
import { startNamespaceContents } from '../controllers/namespace/namespace-contents.ts'
import { startNamespaceDeletion } from '../controllers/namespace/namespace-deletion.ts'
import { startNodeLifecycleController } from '../controllers/node-lifecycle/node-lifecycle-controller.ts'
import type { GracePeriods } from '../controllers/node-lifecycle/plan/health.ts'
import { startPodGarbageCollector } from '../controllers/pod-gc/pod-garbage-collector.ts'
import { startReplicaSetController, startReplicationControllerController } from '../controllers/replica-set/replica-set-controller.ts'
import { startResourceQuotaController } from '../controllers/resource-quota/resource-quota-controller.ts'
import { startStatefulSetController } from '../controllers/stateful-set/stateful-set-controller.ts'
import { startTaintEvictionController } from '../controllers/taint-eviction/taint-eviction-controller.ts'
import type { Autoscale } from '../nodes/autoscaler/node-groups.ts'
import { type Fleet, type FleetOptions, startFleet } from '../nodes/fleet.ts'
import type { Heartbeats } from '../nodes/fleet-nodes.ts'
import { liveTiming } from '../nodes/kubelet/pod-settings.ts'
import type { NodeSpec } from '../nodes/node-object.ts'
import type { RunningController, WorkloadControllerParts } from '../runtime/controller-parts.ts'
import { createEventRecorder } from '../runtime/event-recorder.ts'
import { QueueMetrics } from '../runtime/queue-metrics.ts'
import { SharedInformers } from '../runtime/shared-informers.ts'
import { type ControllerControls, ControllerSet, type StartNamed } from './controller-set.ts'
import { nodeControllers } from './node-controllers.ts'
import { stateMetrics } from './state-metrics.ts'

export interface ControllersOptions {
  /** A client for each controller: its name is the one in managedFields. */
  clientFor(name: string): Client
  readonly clock: Clock
  readonly random: Random
  readonly gates: FeatureGates
  readonly kinds: readonly Kind[]
  /** PEM, for the ConfigMap of each namespace. */
  readonly rootCertificate: string
  /** Simulated nodes, and with them a scheduler. None: whoever wants plays the kubelet through the API. */
  readonly nodes?: readonly NodeSpec[]
  /** How their pods live. */
  readonly podLife?: Pick<FleetOptions, 'stages' | 'images'>
  readonly autoscale?: Autoscale
  /** How long a node may be silent. */
  readonly gracePeriods?: GracePeriods
  /** How often the nodes say that they are there. */
  readonly heartbeats?: Heartbeats
  /** As of SharedInformers. */
  readonly sharesParts?: boolean
  /** As of the event recorder. */
  isRecorded?(kind: string, reason: string): boolean
  onFailure(what: string, error: unknown): void
}

export interface RunningControllers extends RunningController {
  /** What the nodes know of their containers. Absent: there are no nodes here. */
  readonly containers: Pick<Fleet, 'readLog' | 'exec' | 'answerHttp'> | undefined
  /** Absent: there are none here. */
  readonly fleet: Fleet | undefined
  /** To stop and start them one by one. */
  readonly controls: ControllerControls
  /** In Prometheus' text format. */
  metrics(): string
}

/** What every workload controller is started with. */
export interface ControllerParts extends WorkloadControllerParts {
  readonly random: Random
  /** What the Job controller counts. */
  readonly metrics?: JobMetrics
  readonly gracePeriods?: GracePeriods
  onFailure(what: string, error: unknown): void
}

/** The workload controllers by the name that their events and managedFields carry. */
const workloadControllers: Readonly<Record<string, (parts: ControllerParts) => RunningController>> = {
  'deployment-controller': startDeploymentController,
  'replicaset-controller': startReplicaSetController,
  'replication-controller': startReplicationControllerController,
  controllermanager: startDisruptionController,
  'resourcequota-controller': startResourceQuotaController,
  'pod-garbage-collector': startPodGarbageCollector,
  'job-controller': startJobController,
  'cronjob-controller': startCronJobController,
  'ttl-after-finished-controller': startTtlController,
  'statefulset-controller': startStatefulSetController,
  'daemonset-controller': startDaemonSetController,
  'pvc-protection-controller': startClaimProtection,
  'pv-protection-controller': startVolumeProtection,
  'node-controller': startNodeLifecycleController,
  'taint-eviction-controller': startTaintEvictionController,
}

const can = (kind: Kind, verb: 'list' | 'delete' | 'watch') => kind.verbs === undefined || kind.verbs.includes(verb)

export function startControllers({
  clientFor,
  clock,
  random,
  gates,
  kinds,
  rootCertificate,
  nodes = [],
  podLife = {},
  autoscale,
  gracePeriods,
  heartbeats,
  sharesParts = true,
  isRecorded,
  onFailure,
}: ControllersOptions): RunningControllers {
  // The two Events are one storage: one of them stands for both.
  const owned = kinds.filter((kind) => can(kind, 'list') && can(kind, 'delete') && can(kind, 'watch') && kind.group !== 'events.k8s.io')
  const informers = new SharedInformers({ client: clientFor('rollcall'), clock, sharesParts, onFailure })
  const queues = new QueueMetrics(clock)
  const states = stateMetrics({ informers, gates, clock })
  const jobMetrics = new LabelledMetrics(jobCounters, jobDurations)
  const parts = (name: string, client: Client, on = informers, told = onFailure) => {
    const recorder = createEventRecorder({ client, clock, component: name, onFailure: told, ...(isRecorded && { isRecorded }) })
    return {
      client,
      clock,
      random,
      gates,
      informers: on,
      queues,
      recorder,
      onFailure: told,
      ...(gracePeriods && { gracePeriods }),
    }
  }
  const hasNodes = nodes.length > 0 || autoscale !== undefined
  const fleet = hasNodes
    ? startFleet({ ...parts('kubelet', clientFor('kubelet')), nodes, timing: liveTiming, ...podLife, ...(heartbeats && { heartbeats }) })
    : undefined
  const alone = { clock, queues }
  const starts: Readonly<Record<string, StartNamed>> = {
    ...Object.fromEntries(
      [...(fleet ? nodeControllers(fleet, autoscale) : [])].map(([name, start]): [string, StartNamed] => [
        name,
        (client, on, told) => start(parts(name, client, on, told)),
      ]),
    ),
    'root-ca-cert-publisher': (client, _, told) => startNamespaceContents({ ...alone, client, rootCertificate, onFailure: told }),
    'namespace-controller': (client, _, told) =>
      startNamespaceDeletion({ ...alone, client, kinds: owned.filter(({ namespaced }) => namespaced), onFailure: told }),
    'garbage-collector': (client, _, told) =>
      startGarbageCollector({ ...alone, client, kinds: owned.filter(({ plural }) => plural !== 'events'), onFailure: told }),
    'event-expiry': (client, _, told) => startEventExpiry({ client, clock, onFailure: told }),
    ...Object.fromEntries(
      Object.entries(workloadControllers).map(([name, start]): [string, StartNamed] => [
        name,
        (client, on, told) => start({ ...parts(name, client, on, told), metrics: jobMetrics }),
      ]),
    ),
  }
  const set = new ControllerSet({ starts, clientFor, clock, onFailure }, informers)
  informers.start()
  return {
    containers: fleet,
    metrics: () => queues.text() + jobMetrics.text() + states(),
    fleet,
    controls: set,
    synced: Promise.all([informers.synced, fleet?.synced, set.synced]).then(() => undefined),
    async stop() {
      informers.stop()
      await Promise.all([fleet?.stop(), set.stopAll()])
    },
  }
}

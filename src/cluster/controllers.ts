// Every controller of a cluster, started together on one set of informers.
import type { UsageSource } from '../api/kinds/metrics/simulated-usage.ts'
import type { FeatureGates } from '../api/machinery/feature-gates.ts'
import type { Kind } from '../api/machinery/kind.ts'
import { type KindSet, type KindSource, kindSetOf } from '../api/machinery/kind-set.ts'
import type { Clock } from '../base/clock.ts'
import { LabelledMetrics } from '../base/metrics.ts'
import type { Random } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import { startAssumedSecrets } from '../controllers/assumed-secrets/assumed-secrets.ts'
import { type SignCertificate, startCertificateSigning } from '../controllers/certificate-signing/certificate-signing-controller.ts'
import {
  startAttributesClassProtection,
  startClaimProtection,
  startVolumeProtection,
} from '../controllers/claim-protection/claim-protection.ts'
import { startClusterRoleController } from '../controllers/cluster-role/cluster-role-controller.ts'
import { startCronJobController } from '../controllers/cron-job/cron-job-controller.ts'
import { startDaemonSetController } from '../controllers/daemon-set/daemon-set-controller.ts'
import { startDeploymentController } from '../controllers/deployment/deployment-controller.ts'
import { startDisruptionController } from '../controllers/disruption/disruption-controller.ts'
import { startEndpointSliceController, startEndpointsController } from '../controllers/endpoints/endpoints-controller.ts'
import { startEndpointSliceMirroringController } from '../controllers/endpoints/mirroring-controller.ts'
import { startEventExpiry } from '../controllers/event-expiry/event-expiry.ts'
import { startGarbageCollector } from '../controllers/garbage/garbage-collector.ts'
import { startHorizontalPodAutoscalerController } from '../controllers/horizontal-pod-autoscaler/horizontal-pod-autoscaler-controller.ts'
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
import { startPolicyStatusController } from '../controllers/validating-admission-policy/policy-status-controller.ts'
import type { Autoscale } from '../nodes/autoscaler/node-groups.ts'
import { type Fleet, type FleetOptions, startFleet } from '../nodes/fleet.ts'
import type { Heartbeats } from '../nodes/fleet-nodes.ts'
import { liveTiming } from '../nodes/kubelet/pod-settings.ts'
import type { NodeSpec } from '../nodes/node-object.ts'
import type { RunningController, WorkloadControllerParts } from '../runtime/controller-parts.ts'
import { createEventRecorder } from '../runtime/event-recorder.ts'
import type { QueueMetrics } from '../runtime/queue-metrics.ts'
import { SharedInformers } from '../runtime/shared-informers.ts'
import { type ControllerControls, InterruptibleControllers, type StartNamed } from './faults/interruptible-controllers.ts'
import { nodeControllers } from './node-controllers.ts'
import { stateMetrics } from './state-metrics.ts'

interface ControllersOptions {
  /** A client for each controller, by its name. */
  clientFor(name: string): Client
  readonly clock: Clock
  readonly random: Random
  readonly gates: FeatureGates
  /** Counts what the work queues do. Default: it is not counted. */
  readonly queues?: QueueMetrics
  readonly kinds: readonly Kind[] | KindSet
  /** PEM, for the ConfigMap of each namespace. */
  readonly rootCertificate: string
  /** Simulated nodes, which come with a scheduler. None: a client plays the kubelet through the API. */
  readonly nodes?: readonly NodeSpec[]
  /** How pods behave on the simulated nodes. */
  readonly podLife?: Pick<FleetOptions, 'stages' | 'images' | 'issueToken'>
  readonly autoscale?: Autoscale
  /** How long a node may miss its heartbeats. */
  readonly gracePeriods?: GracePeriods
  readonly heartbeats?: Heartbeats
  /** Passed to SharedInformers. */
  readonly ownerOfObjects?: 'server'
  /** Whether single controllers can be stopped, started and made stale while the others run. */
  readonly acceptsFaults?: boolean
  /** The controllers to start, by name, with or without the ending -controller. The controllers of nodes always start. Default: all. */
  readonly only?: readonly string[]
  /** Signs CertificateSigningRequests. Default: they are not signed. */
  readonly signCertificate?: SignCertificate
  /** Whether Secrets that pods wait for are created as placeholders. */
  readonly assumesSecrets?: boolean
  /** The metrics that autoscalers read, where they do not come from annotations. */
  readonly usage?: UsageSource
  /** Whether the rules of aggregated ClusterRoles are kept up to date, and admission policies are type-checked. */
  readonly servesPolicies?: boolean
  /** Passed to the event recorder. */
  isRecorded?(kind: string, reason: string): boolean
  onFailure(what: string, error: unknown): void
}

export interface RunningControllers extends RunningController {
  /** Undefined where there are no simulated nodes. */
  readonly fleet: Fleet | undefined
  /** Undefined unless the controllers accept faults. */
  readonly controls: ControllerControls | undefined
  /** In Prometheus' text format. */
  metrics(): string
}

/** What every controller is started with. */
export interface ControllerParts extends WorkloadControllerParts {
  readonly random: Random
  /** The kinds that the server has, custom resources included. */
  readonly kinds?: KindSource
  /** Counted by the Job controller. */
  readonly metrics?: JobMetrics
  readonly gracePeriods?: GracePeriods
  /** Read by the autoscalers. */
  readonly usage?: UsageSource
  onFailure(what: string, error: unknown): void
}

type Start = (parts: ControllerParts) => RunningController

/** The workload controllers by the name in their events. */
const workloadControllers: Readonly<Record<string, Start>> = {
  'deployment-controller': startDeploymentController,
  'replicaset-controller': startReplicaSetController,
  'replication-controller': startReplicationControllerController,
  controllermanager: startDisruptionController,
  'endpoint-controller': startEndpointsController,
  'endpointslice-controller': startEndpointSliceController,
  'endpointslicemirroring-controller': startEndpointSliceMirroringController,
  'horizontal-pod-autoscaler': startHorizontalPodAutoscalerController,
  'resourcequota-controller': startResourceQuotaController,
  'pod-garbage-collector': startPodGarbageCollector,
  'job-controller': startJobController,
  'cronjob-controller': startCronJobController,
  'ttl-after-finished-controller': startTtlController,
  'statefulset-controller': startStatefulSetController,
  'daemonset-controller': startDaemonSetController,
  'pvc-protection-controller': startClaimProtection,
  'pv-protection-controller': startVolumeProtection,
  'volumeattributesclass-protection-controller': startAttributesClassProtection,
  'node-controller': startNodeLifecycleController,
  'taint-eviction-controller': startTaintEvictionController,
}

/** The component in the events of a controller, where that is not its name. */
const eventComponents: Readonly<Record<string, string>> = {
  'endpointslice-controller': 'endpoint-slice-controller',
  'endpointslicemirroring-controller': 'endpoint-slice-mirroring-controller',
}

const supports = (kind: Kind, verb: 'list' | 'delete' | 'watch') => kind.verbs === undefined || kind.verbs.includes(verb)

export function startControllers({
  clientFor,
  clock,
  random,
  gates,
  queues,
  kinds,
  rootCertificate,
  nodes = [],
  podLife = {},
  autoscale,
  gracePeriods,
  heartbeats,
  ownerOfObjects,
  acceptsFaults = false,
  signCertificate,
  servesPolicies = false,
  assumesSecrets = false,
  only,
  usage,
  isRecorded,
  onFailure,
}: ControllersOptions): RunningControllers {
  // Kinds that are stored as another one (Events of events.k8s.io) are handled as that one.
  const kindSet = kindSetOf(kinds)
  const isOwned = (kind: Kind) =>
    (['list', 'delete', 'watch'] as const).every((verb) => supports(kind, verb)) && kind.storedForm === undefined
  const owned = (isWanted: (kind: Kind) => boolean): KindSource => ({
    current: () => kindSet.all.filter((kind) => isOwned(kind) && isWanted(kind)),
    onChange: (listener) => kindSet.onChange(listener),
  })
  const servedKinds: KindSource = { current: () => kindSet.all, onChange: (listener) => kindSet.onChange(listener) }
  const informers = new SharedInformers({ client: clientFor('rollcall'), clock, ...(ownerOfObjects && { ownerOfObjects }), onFailure })
  const states = stateMetrics({ informers, gates, clock })
  const jobMetrics = new LabelledMetrics(jobCounters, jobDurations)
  const parts = (name: string, client: Client, ownInformers = informers, onOwnFailure = onFailure): ControllerParts => ({
    client,
    clock,
    random,
    gates,
    informers: ownInformers,
    kinds: servedKinds,
    ...(queues && { queues }),
    recorder: createEventRecorder({
      client,
      clock,
      component: eventComponents[name] ?? name,
      onFailure: onOwnFailure,
      ...(isRecorded && { isRecorded }),
    }),
    metrics: jobMetrics,
    ...(usage && { usage }),
    ...(gracePeriods && { gracePeriods }),
    onFailure: onOwnFailure,
  })
  const hasNodes = nodes.length > 0 || autoscale !== undefined
  const fleet = hasNodes
    ? startFleet({ ...parts('kubelet', clientFor('kubelet')), nodes, timing: liveTiming, ...podLife, ...(heartbeats && { heartbeats }) })
    : undefined
  const ofNodes: Readonly<Record<string, Start>> = Object.fromEntries(fleet ? nodeControllers(fleet, autoscale) : [])
  const others: Readonly<Record<string, Start>> = {
    'root-ca-cert-publisher': (own) => startNamespaceContents({ ...own, rootCertificate }),
    'namespace-controller': (own) => startNamespaceDeletion({ ...own, kinds: owned(({ namespaced }) => namespaced) }),
    'garbage-collector-controller': (own) => startGarbageCollector({ ...own, kinds: owned(({ plural }) => plural !== 'events') }),
    'event-expiry': startEventExpiry,
    ...(signCertificate && {
      'certificatesigningrequest-signing-controller': (own) => startCertificateSigning({ ...own, sign: signCertificate }),
    }),
    ...(assumesSecrets && { 'assumed-secrets': startAssumedSecrets }),
    ...(servesPolicies && {
      'clusterrole-aggregation-controller': startClusterRoleController,
      'validatingadmissionpolicy-status': (own) => startPolicyStatusController({ ...own, kinds: servedKinds }),
    }),
    ...workloadControllers,
  }
  const isWanted = (name: string) => only === undefined || only.includes(name) || only.includes(name.replace(/-controller$/, ''))
  const wanted = { ...ofNodes, ...Object.fromEntries(Object.entries(others).filter(([name]) => isWanted(name))) }
  const starts: Readonly<Record<string, StartNamed>> = Object.fromEntries(
    Object.entries(wanted).map(([name, start]) => [name, (...own) => start(parts(name, ...own))]),
  )
  const interruptible = acceptsFaults ? new InterruptibleControllers({ starts, clientFor, clock, onFailure }, informers) : undefined
  const running = interruptible ?? startAll(starts, clientFor, informers, onFailure)
  informers.start()
  return {
    metrics: () => (queues?.text() ?? '') + jobMetrics.text() + states(),
    fleet,
    controls: interruptible,
    synced: Promise.all([informers.synced, fleet?.synced, running.synced]).then(() => undefined),
    async stop() {
      informers.stop()
      await Promise.all([fleet?.stop(), running.stopAll()])
    },
  }
}

function startAll(
  starts: Readonly<Record<string, StartNamed>>,
  clientFor: (name: string) => Client,
  informers: SharedInformers,
  onFailure: (what: string, error: unknown) => void,
) {
  const all = Object.entries(starts).map(([name, start]) => start(clientFor(name), informers, onFailure))
  return {
    synced: Promise.all(all.map(({ synced }) => synced)),
    stopAll: () => Promise.all(all.map((one) => one.stop())),
  }
}

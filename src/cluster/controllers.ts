import type { FeatureGates } from '../api/machinery/feature-gates.ts'
import type { Kind } from '../api/machinery/kind.ts'
import { type KindSet, kindSetOf } from '../api/machinery/kind-set.ts'
import type { Clock } from '../base/clock.ts'
import { LabelledMetrics } from '../base/metrics.ts'
import type { Random } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import type { ClusterSettings, ControllerParts } from '../controllers/controller-definition.ts'
import { controllerDefinitions } from '../controllers/definitions.ts'
import type { EvictionSettings } from '../controllers/deployment/deployment-controller.ts'
import { jobCounters, jobDurations } from '../controllers/job/metrics.ts'
import type { Autoscale } from '../nodes/autoscaler/node-groups.ts'
import { type Fleet, type FleetOptions, startFleet } from '../nodes/fleet.ts'
import type { Heartbeats } from '../nodes/fleet-nodes.ts'
import { liveTiming } from '../nodes/kubelet/pod-settings.ts'
import type { NodeSpec } from '../nodes/node-object.ts'
import type { RunningController } from '../runtime/controller-parts.ts'
import { createEventRecorder } from '../runtime/event-recorder.ts'
import type { QueueMetrics } from '../runtime/queue-metrics.ts'
import { SharedInformers } from '../runtime/shared-informers.ts'
import { evictionMetrics } from './eviction-metrics.ts'
import { type ControllerControls, InterruptibleControllers, type StartNamed } from './faults/interruptible-controllers.ts'
import { nodeControllers } from './node-controllers.ts'
import { stateMetrics } from './state-metrics.ts'

interface ControllersOptions extends Omit<ClusterSettings, 'kinds'> {
  /** A client for each controller, by its name. */
  clientFor(name: string): Client
  readonly clock: Clock
  readonly random: Random
  readonly gates: FeatureGates
  /** Counts what the work queues do. Default: it is not counted. */
  readonly queues?: QueueMetrics
  readonly kinds: readonly Kind[] | KindSet
  /** Simulated nodes, which come with a scheduler. None: a client plays the kubelet through the API. */
  readonly nodes?: readonly NodeSpec[]
  /** How pods behave on the simulated nodes. */
  readonly podLife?: Pick<FleetOptions, 'stages' | 'images' | 'issueToken' | 'mountsTrustBundles'>
  readonly autoscale?: Autoscale
  readonly heartbeats?: Heartbeats
  /** Pods of Deployments are replaced before they are evicted. Default: never. */
  readonly evictions?: EvictionSettings | undefined
  /** Passed to SharedInformers. */
  readonly ownerOfObjects?: 'server'
  /** Whether single controllers can be stopped, started and made stale while the others run. */
  readonly acceptsFaults?: boolean
  /** The controllers to start, by name, with or without the ending -controller. The controllers of nodes always start. Default: all. */
  readonly only?: readonly string[]
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

interface Startable {
  readonly name: string
  readonly eventComponent?: string
  start(parts: ControllerParts & ClusterSettings): RunningController
}

export function startControllers({
  clientFor,
  clock,
  random,
  gates,
  queues,
  kinds,
  nodes = [],
  podLife = {},
  autoscale,
  heartbeats,
  evictions,
  ownerOfObjects,
  acceptsFaults = false,
  only,
  isRecorded,
  onFailure,
  ...given
}: ControllersOptions): RunningControllers {
  const kindSet = kindSetOf(kinds)
  const settings: ClusterSettings = { ...given, kinds: { current: () => kindSet.all, onChange: (listener) => kindSet.onChange(listener) } }
  const informers = new SharedInformers({ client: clientFor('rollcall'), clock, ...(ownerOfObjects && { ownerOfObjects }), onFailure })
  const states = stateMetrics({ informers, gates, clock })
  const jobMetrics = new LabelledMetrics(jobCounters, jobDurations)
  const parts = (
    component: string,
    client: Client,
    ownInformers = informers,
    onOwnFailure = onFailure,
  ): ControllerParts & ClusterSettings => ({
    ...settings,
    client,
    clock,
    random,
    gates,
    informers: ownInformers,
    ...(queues && { queues }),
    recorder: createEventRecorder({ client, clock, component, onFailure: onOwnFailure, ...(isRecorded && { isRecorded }) }),
    metrics: jobMetrics,
    ...(evictions && { evictions }),
    onFailure: onOwnFailure,
  })
  const hasNodes = nodes.length > 0 || autoscale !== undefined
  const fleet = hasNodes
    ? startFleet({ ...parts('kubelet', clientFor('kubelet')), nodes, timing: liveTiming, ...podLife, ...(heartbeats && { heartbeats }) })
    : undefined
  const ofNodes: readonly Startable[] = fleet ? [...nodeControllers(fleet, autoscale)].map(([name, start]) => ({ name, start })) : []
  const isNamed = (name: string) => only === undefined || only.includes(name) || only.includes(name.replace(/-controller$/, ''))
  const others = controllerDefinitions.filter(({ name, isWanted }) => isNamed(name) && (isWanted?.(settings) ?? true))
  const starts: Readonly<Record<string, StartNamed>> = Object.fromEntries(
    [...ofNodes, ...others].map(({ name, eventComponent = name, start }) => [name, (...own) => start(parts(eventComponent, ...own))]),
  )
  const interruptible = acceptsFaults ? new InterruptibleControllers({ starts, clientFor, clock, onFailure }, informers) : undefined
  const running = interruptible ?? startAll(starts, clientFor, informers, onFailure)
  informers.start()
  return {
    metrics: () =>
      (queues?.text() ?? '') +
      jobMetrics.text() +
      (evictions === undefined ? '' : evictionMetrics('rollcall', evictions.counts, clock.now())) +
      states(),
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

// A cluster in memory without a port: server, controllers, scheduler and nodes. Clock and seed are injected, and nothing in it
// depends on the machine.
import type { UsageSource } from '../api/kinds/metrics/simulated-usage.ts'
import { kinds as builtInKinds, pods } from '../api/kinds.ts'
import type { FeatureGates } from '../api/machinery/feature-gates.ts'
import { KindSet } from '../api/machinery/kind-set.ts'
import type { Clock } from '../base/clock.ts'
import { seededPart } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import { gracePeriodsFor } from '../controllers/node-lifecycle/plan/health.ts'
import { type Autoscale, planFirstNodes } from '../nodes/autoscaler/node-groups.ts'
import { type FleetOptions, startFleet } from '../nodes/fleet.ts'
import type { Heartbeats } from '../nodes/fleet-nodes.ts'
import { virtualTiming } from '../nodes/kubelet/pod-settings.ts'
import type { NodeGroup } from '../nodes/node-object.ts'
import { createEventRecorder } from '../runtime/event-recorder.ts'
import { SharedInformers } from '../runtime/shared-informers.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { type Change, followChanges, type ListenToChanges, readAsCreated } from '../server/rest/store-changes.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import type { StoreContent } from '../store/revision-store.ts'
import { type RunningControllers, startControllers } from './controllers.ts'
import { FaultInjector } from './faults/fault-injector.ts'
import { fieldManagerOf } from './field-managers.ts'
import { createInProcessClient } from './in-process-client.ts'
import { type NodeControllerName, nodeControllers } from './node-controllers.ts'
import {
  type InProcessPacer,
  type PacerAdmissionScope,
  reviewByPacer,
  startInProcessPacer,
  startPacerAdmission,
} from './pacer/in-process-pacer.ts'
import { surgeBeforeEviction } from './surge-before-eviction.ts'
import { applySystemObjects } from './system-objects.ts'

export type { UsageSource } from '../api/kinds/metrics/simulated-usage.ts'
export type { Autoscale, AutoscaledGroup } from '../nodes/autoscaler/node-groups.ts'
export { maxNodes, readNodeFile, readNodeGroups } from '../nodes/node-file.ts'
export type { NodeGroup } from '../nodes/node-object.ts'
export { readStageFile } from '../nodes/stages/stage-file.ts'
export type { Change } from '../server/rest/store-changes.ts'

/** The parts of a cluster that call the server. */
export type Part = 'controllers' | 'scheduler' | 'nodes' | 'autoscaler' | 'pacer'

export interface VirtualClusterOptions {
  readonly clock: Clock
  readonly seed: number
  readonly gates: FeatureGates
  readonly nodes: readonly NodeGroup[]
  readonly heartbeats?: Heartbeats
  /** The content of another, settled cluster: this one continues from it, as after a restart. The clock must not be earlier. */
  readonly content?: ClusterContent
  /** Changes of pods are reported at the nearest multiple of this. Absent: when they are due. */
  readonly timerTickMs?: number
  /** How pods behave on the nodes: KWOK's Stages, and images that cannot be pulled. */
  readonly podLife?: Pick<FleetOptions, 'stages' | 'images'>
  /** The autoscaler adds and removes nodes. */
  readonly autoscale?: Autoscale
  /** Which new pods get the gate of the pacer: see `VirtualCluster.startPacer`. Absent: those whose template has it. */
  readonly pacerAdmission?: PacerAdmissionScope
  /** How long the eviction of a pod waits until its Deployment has replaced it. Absent: only the pacer replaces pods. */
  readonly evictionTimeoutMs?: number | undefined
  /** The metrics that autoscalers read. Absent: those of the annotations of pods and Services. */
  readonly usage?: UsageSource
  /** Whether faults can be injected: see `VirtualCluster.faults`. */
  readonly acceptsFaults?: boolean
  /** Which events are recorded, by the kind of their object. Absent: all. */
  isRecorded?(kind: string, reason: string): boolean
  /** Called with the uid of each pod that the ReplicaSet controller deletes, before the server receives the request. */
  onPodDeletion?(uid: string): void
  wrapClient?(client: Client, part: Part): Client
  onFailure(what: string, error: unknown): void
}

type ClusterContent = StoreContent

export interface VirtualCluster {
  /** The user's client, which no fault affects. */
  readonly client: Client
  onChange(listen: (change: Change) => void): void
  /** Every stored object, the oldest first, as if it had just been created. */
  readAll(): Change[]
  /** Everything that is stored, for another cluster to continue from. */
  readContent(): ClusterContent
  /** Resolves when the informers have synced. */
  startControllers(): Promise<void>
  /** Resolves when the work under way has ended. */
  stopControllers(): Promise<void>
  /** Starts a pacer. Several may run where each is a named replica. It is stopped by its `stop`, or with the cluster. */
  startPacer(replica?: string): InProcessPacer
  /**
   * Asks the pacer about an eviction: how long its client has to wait before it tries again, until the pod is replaced. Undefined if it may
   * pass.
   */
  reviewEviction(pod: { readonly namespace: string; readonly name: string }): Promise<number | undefined>
  /** The node stops its heartbeats, and its pods stay as they are. Returns false where there is no such node. */
  stopNode(name: string): boolean
  startNode(name: string): boolean
  /** Undefined unless the cluster accepts faults. */
  readonly faults: FaultInjector | undefined
  /** Ends the containers of the pod. Returns false where none is running. */
  crash(pod: { readonly namespace: string; readonly name: string }): boolean
  stop(): Promise<void>
}

const apiServerPort = 6443

/** The part that a controller belongs to, and the part of the seed for its random numbers. */
const sourcesOf: Readonly<Record<NodeControllerName, readonly [Part, number]>> = {
  'default-scheduler': ['scheduler', 4],
  'cluster-autoscaler': ['autoscaler', 5],
  'persistentvolume-controller': ['nodes', 7],
}

const rootCertificate = '-----BEGIN CERTIFICATE-----\nU2ltdWxhdGVk\n-----END CERTIFICATE-----\n'

export async function startVirtualCluster(options: VirtualClusterOptions): Promise<VirtualCluster> {
  const { clock, seed, gates, onFailure, wrapClient = (client) => client } = options
  const isRecorded = options.isRecorded && { isRecorded: options.isRecorded }
  const store = openMemoryStore(undefined, options.content)
  const kinds = new KindSet(builtInKinds)
  const evictions = surgeBeforeEviction(options.evictionTimeoutMs, { gates, clock, readClient: () => client })
  const rest = createRest({
    store,
    gates,
    clock,
    reviewEviction: evictions?.review,
    random: seededPart(seed, 1),
    kinds,
    onFailure,
    // A store in memory hardly ever parses an object.
    maxParsedObjects: 16,
  })
  const client: Client = createInProcessClient({ rest, kinds, name: 'kubectl' })
  const clientOf = (name: string) => createInProcessClient({ rest, kinds, name: fieldManagerOf(name) })
  if (options.content === undefined) await applySystemObjects(client, apiServerPort)
  const listeners: ListenToChanges[] = []
  followChanges(store, listeners)

  const faults = options.acceptsFaults
    ? new FaultInjector({
        revision: () => store.revision,
        clock,
        client,
        random: seededPart(seed, 6),
        readNodes: () => fleet,
        readControllers: () => controllers?.controls,
        onFailure,
      })
    : undefined
  const withFaults = (own: Client, name: string) => faults?.wrapClient(own, name) ?? own
  const clientFor = (name: string): Client => {
    const { onPodDeletion } = options
    const isReported = onPodDeletion !== undefined && name === replicaSetController
    const own = isReported ? reportingDeletions(clientOf(name), onPodDeletion) : clientOf(name)
    const wrapped = wrapClient(withFaults(own, name), 'controllers')
    return admission?.wrapClient(wrapped) ?? wrapped
  }
  const admission = options.pacerAdmission && startPacerAdmission(options.pacerAdmission, { client, clock, onFailure })
  const pacers = new Set<InProcessPacer>()
  const pacerRandom = seededPart(seed, 8)
  const controllerRandom = seededPart(seed, 2)
  let controllers: RunningControllers | undefined

  const informers = new SharedInformers({ client: wrapClient(clientOf('rollcall'), 'nodes'), clock, ownerOfObjects: 'server', onFailure })
  const partOf = (name: string, part: Part, randomPart: number) => {
    const own = wrapClient(withFaults(clientOf(name), name), part)
    return {
      client: own,
      clock,
      random: seededPart(seed, randomPart),
      gates,
      informers,
      recorder: createEventRecorder({ client: own, clock, component: name, onFailure, ...isRecorded }),
      onFailure,
    }
  }
  const fleet = startFleet({
    ...partOf('kubelet', 'nodes', 3),
    ...(options.timerTickMs !== undefined && { timerTickMs: options.timerTickMs }),
    nodes: planFirstNodes(options.nodes, options.autoscale?.groups),
    timing: virtualTiming,
    ...(options.heartbeats && { heartbeats: options.heartbeats }),
    ...options.podLife,
  })
  const nodeParts = [...nodeControllers(fleet, options.autoscale)].map(([name, start]) => start(partOf(name, ...sourcesOf[name])))
  informers.start()

  const stopControllers = async () => {
    const stopping = controllers
    controllers = undefined
    await stopping?.stop()
  }
  return {
    client,
    onChange: (listen) => void listeners.push(listen),
    readAll: () => readAsCreated(store),
    readContent: () => ({ revision: store.revision, records: store.list('').records }),
    async startControllers() {
      if (controllers !== undefined) return
      controllers = startControllers({
        ownerOfObjects: 'server',
        acceptsFaults: faults !== undefined,
        clientFor,
        clock,
        random: controllerRandom,
        gates,
        kinds,
        rootCertificate,
        ...isRecorded,
        ...(options.usage && { usage: options.usage }),
        evictions: evictions?.settings,
        ...(options.heartbeats && { gracePeriods: gracePeriodsFor(options.heartbeats.leaseMs) }),
        onFailure,
      })
      await Promise.all([controllers.synced, admission?.synced])
    },
    stopControllers,
    startPacer(name) {
      const own = wrapClient(withFaults(clientOf(pacerName), pacerName), 'pacer')
      const replica = name === undefined ? {} : { replica: { name, random: pacerRandom } }
      const pacer = startInProcessPacer({ client: own, clock, onFailure, ...replica, ...isRecorded })
      pacers.add(pacer)
      return pacer
    },
    async reviewEviction(pod) {
      const review = await reviewByPacer(client, { ...pod, isDryRun: false }, clock.now())
      return review && review.retryAfterSeconds * 1000
    },
    stopNode: fleet.stopNode,
    startNode: fleet.startNode,
    crash: (pod) => fleet.crash(pod),
    faults,
    async stop() {
      faults?.stop()
      await stopControllers()
      admission?.stop()
      await Promise.all([...pacers].map((pacer) => pacer.stop()))
      informers.stop()
      await Promise.all([fleet.stop(), ...nodeParts.map((part) => part.stop())])
      await store.close()
    },
  }
}

const replicaSetController = 'replicaset-controller'
const pacerName = 'rollcall-pacer'

/** Calls `onDelete` with the uid of each pod whose deletion the client requests, before the request is sent. */
export function reportingDeletions(client: Client, onDelete: (uid: string) => void): Client {
  return {
    ...client,
    delete(resource, ref, deletion) {
      const uid = deletion?.preconditions?.uid
      if (resource.plural === pods.plural && uid !== undefined) onDelete(uid)
      return client.delete(resource, ref, deletion)
    },
  }
}

// The nodes of a fleet: their Node objects, Leases and heartbeats.
// Kubernetes: pkg/kubelet.Kubelet.tryUpdateNodeStatus, Kubelet.syncNodeStatus
// Kubernetes: k8s.io/component-helpers/apimachinery/lease.controller.sync

import { leases, nodes as nodeKind } from '../api/kinds.ts'
import { isConditionTrue } from '../api/machinery/conditions.ts'
import { ignoring, isStatusError } from '../api/machinery/status-error.ts'
import type { Node, Stored } from '../api/types.ts'
import { type Clock, formatMicroTime } from '../base/clock.ts'
import { getOrAdd } from '../base/maps.ts'
import type { Client } from '../client/client.ts'
import type { Informer } from '../runtime/informer.ts'
import { blockBitsFor, nodeIpOf, PodAddresses, podCidrOf } from './addresses.ts'
import { defaultMaxPods, isSimulated, type NodeSpec, ownNodeAnnotation, planNode, planNodeStatus } from './node-object.ts'
import { NodeUsage } from './node-usage.ts'
import { type ResourceAmounts, readAmounts } from './scheduler/pod-requests.ts'
import type { FileTree } from './shell/files.ts'
import { TimerQueue } from './timer-queue.ts'

export interface FleetNode {
  readonly name: string
  readonly spec: NodeSpec
  readonly ip: string
  readonly addresses: PodAddresses
  readonly usage: NodeUsage
  /** Images that were pulled on this node. */
  readonly images: Set<string>
  hostFiles: FileTree
  /** A node that is down sends no heartbeats and does not sync its pods. */
  isDown: boolean
  /** A node is down while there is at least one cause. */
  readonly downCauses: Set<'command' | 'annotation'>
  statusDueMs: number
  /** The resourceVersion of its Lease after its last write. */
  leaseVersion: string | undefined
}

export interface Heartbeats {
  readonly leaseMs: number
  readonly statusMs: number
}

export const defaultHeartbeats: Heartbeats = { leaseMs: 10_000, statusMs: 300_000 }

interface FleetNodesOptions {
  readonly client: Client
  readonly clock: Clock
  readonly informer: Informer<Node>
  readonly heartbeats: Heartbeats
  /** Stages write the status of the nodes; the fleet writes only their Leases. */
  readonly usesStages?: boolean
  /** Determines the size of the pod CIDRs. */
  readonly maxPods: number
  onFailure(what: string, error: unknown): void
  /** A node has joined or has come back: its pods need a sync. */
  onNode(node: FleetNode): void
  /** A change of the node's status that the kubelet reports by an event. */
  onStatus?(node: FleetNode, status: 'NodeReady' | 'NodeSchedulable' | 'NodeNotSchedulable'): void
}

/** Set to `true` on a node, it takes the node down until the annotation is removed. */
export const downAnnotation = 'rollcall.dev/down'

const kwokCapacity = { cpu: '1k', memory: '1Ti', pods: 1_000_000 }
const maxPendingCreates = 64
const leaseNamespace = 'kube-node-lease'
const leaseSeconds = 40

const noAmounts: ResourceAmounts = new Map()
const amountsOf = new WeakMap<object, ResourceAmounts>()

export class FleetNodes {
  readonly #options: FleetNodesOptions
  readonly #nodes = new Map<string, FleetNode>()
  /** Nodes whose objects were deleted. They register again when they are started. */
  readonly #deleted = new Map<string, NodeSpec>()
  readonly #heartbeats: TimerQueue<FleetNode>
  readonly #bits: number
  #nextIndex = 0
  #isStopped = false

  constructor(options: FleetNodesOptions) {
    this.#options = options
    this.#bits = blockBitsFor(Math.max(defaultMaxPods, Math.min(options.maxPods, 60_000)))
    this.#heartbeats = new TimerQueue(options.clock, (node) => void this.#heartbeat(node))
    options.informer.onChange((current, previous) => {
      if (current === undefined) this.#drop(previous!.metadata.name)
      else {
        this.#adopt(current)
        this.#applyDownAnnotation(current)
        if (previous !== undefined) this.#reportCordon(current, previous)
      }
    })
  }

  get(name: string | undefined): FleetNode | undefined {
    return name === undefined ? undefined : this.#nodes.get(name)
  }

  allocatable(node: FleetNode): ResourceAmounts {
    const { status } = this.#options.informer.get(node.name) ?? planNode(node.spec, node.ip, '', 0)
    const { allocatable } = status ?? {}
    return allocatable === undefined ? noAmounts : getOrAdd(amountsOf, allocatable, () => readAmounts(allocatable))
  }

  object(node: FleetNode): Stored<Node> | undefined {
    return this.#options.informer.get(node.name)
  }

  stop(): void {
    this.#isStopped = true
    this.#heartbeats.stop()
  }

  /** Creates the nodes that do not exist. An existing node that another program created is left alone. */
  async create(specs: readonly NodeSpec[]): Promise<void> {
    const { client, clock, informer, onFailure } = this.#options
    // Wait for the cache: nodes of an earlier run keep their addresses.
    await informer.synced
    for (let at = 0; at < specs.length && !this.#isStopped; at += maxPendingCreates)
      await Promise.all(
        specs.slice(at, at + maxPendingCreates).map(async (spec) => {
          if (this.#nodes.has(spec.name)) return
          const index = this.#nextIndex++
          const cidr = podCidrOf(index, this.#bits)
          try {
            const planned = planNode(spec, nodeIpOf(index), cidr, clock.now())
            // KWOK's stages recognize an initialized node by its phase.
            const object = this.#options.usesStages ? { ...planned, status: { ...planned.status, phase: 'Running' } } : planned
            const made = await client.create(nodeKind, undefined, object)
            this.#join(made, spec, nodeIpOf(index))
          } catch (error) {
            if (!isStatusError(error, 'AlreadyExists')) return onFailure(`creating node ${spec.name}`, error)
            this.#adopt(await client.get(nodeKind, { name: spec.name }), spec)
          }
        }),
      )
  }

  /** Stops the heartbeats, or resumes them at once when no cause is left. Returns false if there is no such node. */
  setDown(name: string, isDown: boolean, by: 'command' | 'annotation' = 'command'): boolean {
    const node = this.#nodes.get(name)
    const deletedSpec = this.#deleted.get(name)
    if (node === undefined) {
      if (deletedSpec !== undefined && !isDown) void this.create([deletedSpec])
      return deletedSpec !== undefined
    }
    if (isDown) node.downCauses.add(by)
    else node.downCauses.delete(by)
    const wasDown = node.isDown
    node.isDown = node.downCauses.size > 0
    if (node.isDown) this.#heartbeats.delete(node)
    else if (wasDown) {
      node.statusDueMs = 0
      this.#heartbeats.set(node, this.#options.clock.now())
      this.#options.onNode(node)
    }
    return true
  }

  #applyDownAnnotation({ metadata: { name, annotations } }: Stored<Node>): void {
    const isDown = annotations?.[downAnnotation] === 'true'
    if (this.#nodes.get(name)?.downCauses.has('annotation') !== isDown) this.setDown(name, isDown, 'annotation')
  }

  #reportCordon({ metadata: { name }, spec }: Stored<Node>, previous: Stored<Node>): void {
    const isCordoned = spec?.unschedulable ?? false
    const node = this.#nodes.get(name)
    if (node === undefined || node.isDown || isCordoned === (previous.spec?.unschedulable ?? false)) return
    this.#options.onStatus?.(node, isCordoned ? 'NodeNotSchedulable' : 'NodeSchedulable')
  }

  /** Adds a node to the fleet if its annotation marks it as simulated by Rollcall or by KWOK. */
  #adopt(node: Stored<Node>, spec?: NodeSpec): void {
    const { name, annotations = {} } = node.metadata
    if (this.#nodes.has(name)) return
    const isOwn = annotations[ownNodeAnnotation] === 'simulated'
    if (!isSimulated(annotations)) {
      if (spec !== undefined)
        this.#options.onFailure(`creating node ${name}`, new Error('a node of this name exists and is not simulated by this fleet'))
      return
    }
    const addresses = (node.status?.addresses ?? []).filter(({ type }) => type === 'InternalIP').map(({ address }) => address)
    // A node whose kubelet is served has the address of the server too.
    const known = addresses.find((address) => indexOfIp(address) !== undefined) ?? addresses[0]
    const index = indexOfIp(known)
    if (index !== undefined) this.#nextIndex = Math.max(this.#nextIndex, index + 1)
    this.#join(node, spec ?? { name, ...(!isOwn && kwokCapacity) }, known ?? nodeIpOf(this.#nextIndex++))
  }

  #join(object: Stored<Node>, spec: NodeSpec, ip: string): void {
    if (this.#isStopped || this.#nodes.has(spec.name)) return
    const { clock, heartbeats, onNode } = this.#options
    const order = this.#nodes.size
    const cidr = object.spec?.podCIDR ?? podCidrOf(indexOfIp(ip) ?? this.#nextIndex++, this.#bits)
    const node: FleetNode = {
      name: spec.name,
      spec,
      ip,
      addresses: new PodAddresses(cidr),
      usage: new NodeUsage(),
      images: new Set(),
      hostFiles: new Map(),
      isDown: false,
      downCauses: new Set(),
      statusDueMs: isReady(object) ? clock.now() + heartbeats.statusMs : 0,
      leaseVersion: undefined,
    }
    this.#nodes.set(node.name, node)
    this.#deleted.delete(node.name)
    // Spread over the interval, so that the heartbeats of many nodes do not coincide.
    this.#heartbeats.set(node, clock.now() + ((order * 7919) % 1000) * (heartbeats.leaseMs / 1000) * (isReady(object) ? 1 : 0))
    onNode(node)
  }

  #drop(name: string): void {
    const node = this.#nodes.get(name)
    if (node === undefined) return
    node.isDown = true
    this.#heartbeats.delete(node)
    this.#nodes.delete(name)
    this.#deleted.set(name, node.spec)
  }

  async #heartbeat(node: FleetNode): Promise<void> {
    const { clock, heartbeats, onFailure } = this.#options
    const nowMs = clock.now()
    this.#heartbeats.set(node, nowMs + heartbeats.leaseMs)
    const object = this.object(node)
    try {
      await this.#renew(node, object, nowMs)
      if (node.isDown) return
      if (object !== undefined && !this.#options.usesStages && (nowMs >= node.statusDueMs || !isReady(object)))
        await this.#report(node, object, nowMs)
    } catch (error) {
      if (!this.#isStopped) onFailure(`heartbeat of node ${node.name}`, error)
    }
  }

  async #renew(node: FleetNode, object: Stored<Node> | undefined, nowMs: number): Promise<void> {
    const { client } = this.#options
    if (node.leaseVersion === undefined) {
      const known = await ignoring('NotFound', client.get(leases, { namespace: leaseNamespace, name: node.name }))
      node.leaseVersion = known?.metadata.resourceVersion
    }
    try {
      const lease = await client.update(leases, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {
          name: node.name,
          namespace: leaseNamespace,
          ...(node.leaseVersion !== undefined && { resourceVersion: node.leaseVersion }),
          ...(object && { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node.name, uid: object.metadata.uid }] }),
        },
        spec: { holderIdentity: node.name, leaseDurationSeconds: leaseSeconds, renewTime: formatMicroTime(nowMs) },
      })
      node.leaseVersion = lease.metadata.resourceVersion
    } catch (error) {
      // Unknown after a failure: the next heartbeat reads it again.
      node.leaseVersion = undefined
      throw error
    }
  }

  async #report(node: FleetNode, object: Stored<Node>, nowMs: number): Promise<void> {
    const { client, heartbeats } = this.#options
    node.statusDueMs = nowMs + heartbeats.statusMs
    try {
      await client.updateStatus(nodeKind, { ...object, status: planNodeStatus(node.spec, node.ip, object.status, nowMs) })
      if (!isReady(object)) this.#options.onStatus?.(node, 'NodeReady')
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return
      // Another client wrote first: report with the next heartbeat.
      node.statusDueMs = 0
      if (!isStatusError(error, 'Conflict')) throw error
    }
  }
}

const isReady = ({ status }: Node) => isConditionTrue(status?.conditions, 'Ready')

function indexOfIp(ip: string | undefined): number | undefined {
  const match = /^172\.(\d+)\.(\d+)\.(\d+)$/.exec(ip ?? '')
  if (match === null) return undefined
  const index = (Number(match[1]) - 18) * 65536 + Number(match[2]) * 256 + Number(match[3]) - 2
  return index >= 0 ? index : undefined
}

// A node with the resources that its pods request.
// Kubernetes: pkg/scheduler/framework.NodeInfo.*

import { isHard, isSoft, type Taint } from '../../api/kinds/core/node/taints.ts'
import type { Node, Stored } from '../../api/types.ts'
import { addCount } from '../../base/maps.ts'
import { type HostPort, PortsInUse } from './host-ports.ts'
import type { PodNeeds } from './pod-needs.ts'
import { type Allocatable, readAllocatable } from './pod-requests.ts'

/** A pod that is bound to a node, or assumed to be. */
export interface PlacedPod {
  /** Replaced by the newest version of the pod if nothing relevant to scheduling has changed. */
  needs: PodNeeds
  readonly node: NodeState
}

const nothing: Allocatable = { cpu: 0, memory: 0, storage: 0, pods: 0 }
const noLabels: Readonly<Record<string, string>> = {}
const noTaints: readonly Taint[] = []

export class NodeState {
  readonly name: string
  /** Absent: pods are bound to a node that does not exist. */
  node: Stored<Node> | undefined
  labels = noLabels
  isCordoned = false
  hardTaints = noTaints
  softTaints = noTaints
  allocatable = nothing
  cpu = 0
  memory = 0
  storage = 0
  nonZeroCpu = 0
  nonZeroMemory = 0
  /** Free pods, cpu, memory and storage. Contiguous, because most nodes are refused by these alone. */
  readonly room = new Float64Array(4)
  readonly scalars = new Map<string, number>()
  readonly ports = new PortsInUse()
  /** By uid. */
  readonly pods = new Map<string, PlacedPod>()
  /** The number of pods by priority. */
  readonly #priorities = new Map<number, number>()

  constructor(name: string) {
    this.name = name
  }

  set(node: Stored<Node> | undefined): void {
    this.node = node
    this.labels = node?.metadata.labels ?? noLabels
    this.isCordoned = node?.spec?.unschedulable === true
    const taints = node?.spec?.taints ?? noTaints
    this.hardTaints = taints.length === 0 ? noTaints : taints.filter(isHard)
    this.softTaints = taints.length === 0 ? noTaints : taints.filter(isSoft)
    this.allocatable = node === undefined ? nothing : readAllocatable(node.status?.allocatable)
    this.#measureRoom()
  }

  label(key: string): string | undefined {
    return Object.hasOwn(this.labels, key) ? this.labels[key] : undefined
  }

  count(placed: PlacedPod, change: 1 | -1): void {
    const { uid, requests, ports, priority } = placed.needs
    addCount(this.#priorities, priority, change)
    if (change === 1) this.pods.set(uid, placed)
    else this.pods.delete(uid)
    this.cpu += change * requests.cpu
    this.memory += change * requests.memory
    this.storage += change * requests.storage
    this.nonZeroCpu += change * requests.nonZeroCpu
    this.nonZeroMemory += change * requests.nonZeroMemory
    this.#measureRoom()
    for (const [resource, amount] of requests.scalars ?? []) addCount(this.scalars, resource, change * amount)
    for (const port of ports) this.ports.count(port, change)
  }

  #measureRoom(): void {
    const { allocatable, room } = this
    room[0] = allocatable.pods - this.pods.size
    room[1] = allocatable.cpu - this.cpu
    room[2] = allocatable.memory - this.memory
    room[3] = allocatable.storage - this.storage
  }

  hasLowerPriority(priority: number): boolean {
    for (const other of this.#priorities.keys()) if (other < priority) return true
    return false
  }

  areFree(ports: readonly HostPort[]): boolean {
    for (const port of ports) if (this.ports.isTaken(port)) return false
    return true
  }
}

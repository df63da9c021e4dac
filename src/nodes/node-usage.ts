// Kubelet admission: whether a node accepts a pod that is bound to it. The scheduler has checked this; a pod that was bound by hand
// may not fit.
// Kubernetes: pkg/kubelet/lifecycle.predicateAdmitHandler.Admit, predicateAdmitHandler.generalFilter, InsufficientResourceError.*
// Kubernetes: pkg/kubelet/lifecycle.PredicateFailureError.*

import type { Node, Pod, PodSpec } from '../api/types.ts'
import { addCount, getOrAdd } from '../base/maps.ts'
import { type HostPort, PortsInUse, readHostPorts } from './scheduler/host-ports.ts'
import { peakRequests, type ResourceAmounts } from './scheduler/pod-requests.ts'

interface Rejection {
  readonly reason: string
  readonly message: string
}

interface PodUsage {
  readonly requests: ResourceAmounts
  readonly ports: readonly HostPort[]
}

/** Status updates keep the identity of the spec, so that each spec is read once. */
const known = new WeakMap<PodSpec, PodUsage>()

const usageOf = ({ spec = { containers: [] } }: Pod): PodUsage =>
  getOrAdd(known, spec, () => ({ requests: peakRequests({ spec }), ports: readHostPorts({ spec }) }))

/** The resources and host ports that the pods on a node use. */
export class NodeUsage {
  readonly #requests = new Map<string, number>()
  readonly #ports = new PortsInUse()
  #pods = 0

  add(pod: Pod): void {
    this.#count(pod, 1)
  }

  remove(pod: Pod): void {
    this.#count(pod, -1)
  }

  #count(pod: Pod, sign: 1 | -1): void {
    this.#pods += sign
    const { requests, ports } = usageOf(pod)
    for (const [resource, amount] of requests) addCount(this.#requests, resource, sign * amount)
    for (const port of ports) this.#ports.count(port, sign)
  }

  /** Checks in the order of the kubelet, and with its messages. */
  admit(pod: Pod, allocatable: ResourceAmounts, node: Node | undefined): Rejection | undefined {
    const lacking = (resource: string, requested: number, used: number, capacity: number): Rejection => ({
      reason: `OutOf${resource}`,
      message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
    })
    const maxPods = allocatable.get('pods')
    if (maxPods !== undefined && this.#pods + 1 > maxPods) return lacking('pods', 1, this.#pods, maxPods)
    const { requests, ports } = usageOf(pod)
    for (const [resource, requested] of requests) {
      const capacity = allocatable.get(resource)
      const used = this.#requests.get(resource) ?? 0
      // As in the kubelet, a resource that the node does not report is not checked.
      if (requested > 0 && capacity !== undefined && used + requested > capacity) return lacking(resource, requested, used, capacity)
    }
    const labels = node?.metadata?.labels ?? {}
    for (const [key, value] of Object.entries(pod.spec?.nodeSelector ?? {}))
      if (node !== undefined && labels[key] !== value)
        return { reason: 'NodeAffinity', message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector" }
    if (ports.some((port) => this.#ports.isTaken(port)))
      return { reason: 'NodePorts', message: "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports" }
    return undefined
  }
}

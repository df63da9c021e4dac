// Kubelet admission: whether a node accepts a pod that is bound to it. The scheduler has checked this; a pod that was bound by hand
// may not fit.

import type { Container, Node, Pod, PodSpec } from '../api/types.ts'
import { getOrAdd } from '../base/maps.ts'
import { isSidecar } from './pod-predicates.ts'
import { readAmount } from './scheduler/pod-requests.ts'

/** Amounts by resource: cpu in millicores, all others in whole units. */
export type Amounts = ReadonlyMap<string, number>

interface Rejection {
  readonly reason: string
  readonly message: string
}

export function readAmounts(list: Readonly<Record<string, string>> | undefined): Map<string, number> {
  return new Map(Object.entries(list ?? {}).map(([resource, text]) => [resource, readAmount(resource, text)]))
}

const add = (sum: Map<string, number>, more: Amounts) => {
  for (const [resource, amount] of more) sum.set(resource, (sum.get(resource) ?? 0) + amount)
}

const requestsOf = ({ resources }: Container) => readAmounts(resources?.requests)

/**
 * The peak request of the pod: the sum of all containers and sidecars, or an init container with the sidecars started
 * before it, whichever is larger.
 */
export function podAmounts({ spec }: Pod): Amounts {
  return spec === undefined ? new Map() : usageOf(spec).amounts
}

interface PodUsage {
  readonly amounts: Amounts
  readonly ports: readonly string[]
}

/** Status updates keep the identity of the spec, so that each spec is read once. */
const known = new WeakMap<PodSpec, PodUsage>()

const usageOf = (spec: PodSpec): PodUsage => getOrAdd(known, spec, () => ({ amounts: readPodAmounts(spec), ports: readPorts(spec) }))

function readPodAmounts(spec: PodSpec): Amounts {
  const total = new Map<string, number>()
  for (const container of spec.containers ?? []) if (container.resources?.requests) add(total, requestsOf(container))
  const peak = new Map<string, number>()
  const sidecars = new Map<string, number>()
  for (const container of spec.initContainers ?? []) {
    const requests = requestsOf(container)
    if (isSidecar(container)) {
      add(sidecars, requests)
      add(total, requests)
    }
    for (const [resource, amount] of isSidecar(container) ? sidecars : requests) {
      const together = isSidecar(container) ? amount : amount + (sidecars.get(resource) ?? 0)
      peak.set(resource, Math.max(peak.get(resource) ?? 0, together))
    }
  }
  for (const [resource, amount] of peak) total.set(resource, Math.max(total.get(resource) ?? 0, amount))
  for (const [resource, text] of Object.entries(spec.resources?.requests ?? {})) total.set(resource, readAmount(resource, text))
  if (spec.overhead) add(total, readAmounts(spec.overhead))
  return total
}

/** `TCP:80:` for every host port of the pod, followed by the host IP if it names one. */
function hostPortsOf({ spec }: Pod): readonly string[] {
  return spec === undefined ? [] : usageOf(spec).ports
}

function readPorts(spec: PodSpec): readonly string[] {
  const ports: string[] = []
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)])
    for (const { hostPort, hostIP, protocol } of container.ports ?? [])
      if (hostPort) ports.push(`${protocol ?? 'TCP'}:${hostPort}:${!hostIP || hostIP === '0.0.0.0' ? '' : hostIP}`)
  return ports
}

/** The sum of what the pods on a node use. */
export class NodeUsage {
  readonly #amounts = new Map<string, number>()
  readonly #ports = new Map<string, number>()
  #pods = 0

  add(pod: Pod): void {
    this.#count(pod, 1)
  }

  remove(pod: Pod): void {
    this.#count(pod, -1)
  }

  #count(pod: Pod, sign: 1 | -1): void {
    this.#pods += sign
    for (const [resource, amount] of podAmounts(pod)) this.#amounts.set(resource, (this.#amounts.get(resource) ?? 0) + sign * amount)
    for (const port of hostPortsOf(pod)) this.#ports.set(port, (this.#ports.get(port) ?? 0) + sign)
  }

  /** Checks in the order of the kubelet, and with its messages. */
  admit(pod: Pod, allocatable: Amounts, node: Node | undefined): Rejection | undefined {
    const lacking = (resource: string, requested: number, used: number, capacity: number): Rejection => ({
      reason: `OutOf${resource}`,
      message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
    })
    const maxPods = allocatable.get('pods')
    if (maxPods !== undefined && this.#pods + 1 > maxPods) return lacking('pods', 1, this.#pods, maxPods)
    for (const [resource, requested] of podAmounts(pod)) {
      const capacity = allocatable.get(resource)
      const used = this.#amounts.get(resource) ?? 0
      // As in the kubelet, a resource that the node does not report is not checked.
      if (requested > 0 && capacity !== undefined && used + requested > capacity) return lacking(resource, requested, used, capacity)
    }
    const labels = node?.metadata?.labels ?? {}
    for (const [key, value] of Object.entries(pod.spec?.nodeSelector ?? {}))
      if (node !== undefined && labels[key] !== value)
        return { reason: 'NodeAffinity', message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector" }
    if (hostPortsOf(pod).some((port) => this.#isTaken(port)))
      return { reason: 'NodePorts', message: "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports" }
    return undefined
  }

  /** A port on all addresses conflicts with the same port on any address. */
  #isTaken(port: string): boolean {
    if ((this.#ports.get(port) ?? 0) > 0) return true
    const [protocol, number, address] = port.split(':')
    const prefix = `${protocol}:${number}:`
    if (address !== '') return (this.#ports.get(prefix) ?? 0) > 0
    for (const [other, count] of this.#ports) if (count > 0 && other.startsWith(prefix)) return true
    return false
  }
}

// The resource requests of a pod as numbers: cpu in millicores, all others in whole units.
// Kubernetes: k8s.io/component-helpers/resource.PodRequests
// Kubernetes: pkg/scheduler/framework/plugins/noderesources.computePodResourceRequest
// Kubernetes: pkg/scheduler/util.IsScalarResourceName
// Kubernetes: pkg/scheduler/framework.NodeInfo.SetNode

import { isPodLevelResource } from '../../api/kinds/core/pod/resources.ts'
import type { Container, Pod } from '../../api/types.ts'
import { cached } from '../../base/cached.ts'
import { milliValue, parseQuantity, wholeValue, zeroQuantity } from '../../base/quantity.ts'
import { isSidecar } from '../pod-predicates.ts'

/** By resource. */
export type ResourceAmounts = ReadonlyMap<string, number>

interface Amounts {
  readonly cpu: number
  readonly memory: number
  readonly storage: number
  /** Huge pages and extended resources, sorted by name. Absent: none. */
  readonly scalars?: ResourceAmounts
}

export interface PodRequests extends Amounts {
  /** With a default for each container without a request ("non-zero requests" in kube-scheduler). Used for scores, not for filters. */
  readonly nonZeroCpu: number
  readonly nonZeroMemory: number
}

type List = Readonly<Record<string, string>> | undefined

// Most pods share a few values.
const maxAmounts = 10_000
const milliAmount = cached(maxAmounts, (text: string) => milliValue(parseQuantity(text) ?? zeroQuantity))
const wholeAmount = cached(maxAmounts, (text: string) => wholeValue(parseQuantity(text) ?? zeroQuantity))

const readAmount = (resource: string, text: string): number => (resource === 'cpu' ? milliAmount(text) : wholeAmount(text))

/** Of kube-scheduler, for a container without a request. */
const nonZeroDefaults = { cpu: '100m', memory: '200Mi' }

type Sums = Map<string, number>

function addList(sums: Sums, list: List): void {
  if (list === undefined) return
  for (const resource of Object.keys(list)) sums.set(resource, (sums.get(resource) ?? 0) + readAmount(resource, list[resource]!))
}

export function readAmounts(list: List): ResourceAmounts {
  const sums: Sums = new Map()
  addList(sums, list)
  return sums
}

function raise(sums: Sums, other: ResourceAmounts): void {
  for (const [resource, amount] of other) if (amount > (sums.get(resource) ?? 0)) sums.set(resource, amount)
}

/**
 * The peak request of the pod: the sum of all containers and sidecars, or an init container with the sidecars started
 * before it, whichever is larger. Pod-level requests override it; the overhead is added. `defaults` are the requests of a container that sets none.
 */
export function peakRequests({ spec }: Pod, defaults?: List): ResourceAmounts {
  const total: Sums = new Map()
  const requestsOf = ({ resources }: Container): List => (defaults ? { ...defaults, ...resources?.requests } : resources?.requests)
  for (const container of spec?.containers ?? []) addList(total, requestsOf(container))
  if (spec?.initContainers?.length) {
    const sidecars: Sums = new Map()
    const peak: Sums = new Map()
    for (const container of spec.initContainers) {
      const requests = requestsOf(container)
      if (isSidecar(container)) {
        addList(total, requests)
        addList(sidecars, requests)
        raise(peak, sidecars)
      } else {
        const together: Sums = new Map(sidecars)
        addList(together, requests)
        raise(peak, together)
      }
    }
    raise(total, peak)
  }
  for (const [resource, text] of Object.entries(spec?.resources?.requests ?? {}))
    if (isPodLevelResource(resource)) total.set(resource, readAmount(resource, text))
  addList(total, spec?.overhead)
  return total
}

export function readRequests(pod: Pod): PodRequests {
  const { cpu, memory, storage, scalars } = asAmounts(peakRequests(pod))
  const isComplete = cpu > 0 && memory > 0 && pod.spec?.containers?.length === 1 && !pod.spec.initContainers?.length
  const nonZero = isComplete ? undefined : peakRequests(pod, nonZeroDefaults)
  return {
    cpu,
    memory,
    storage,
    ...(scalars && { scalars }),
    nonZeroCpu: nonZero?.get('cpu') ?? cpu,
    nonZeroMemory: nonZero?.get('memory') ?? memory,
  }
}

function asAmounts(sums: ResourceAmounts): Amounts {
  const scalars = [...sums].filter(([resource, amount]) => amount > 0 && !ordinary.has(resource))
  return {
    cpu: sums.get('cpu') ?? 0,
    memory: sums.get('memory') ?? 0,
    storage: sums.get('ephemeral-storage') ?? 0,
    ...(scalars.length > 0 && { scalars: new Map(scalars.sort(([a], [b]) => (a < b ? -1 : 1))) }),
  }
}

const ordinary = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods'])

export interface Allocatable extends Amounts {
  readonly pods: number
}

export function readAllocatable(list: List): Allocatable {
  const amounts = readAmounts(list)
  return { ...asAmounts(amounts), pods: amounts.get('pods') ?? 0 }
}

// The resource requests of a pod as numbers: cpu in millicores, all others in whole units.

import { isPodLevelResource } from '../../api/kinds/core/pod/resources.ts'
import type { Container, Pod } from '../../api/types.ts'
import { cached } from '../../base/cached.ts'
import { milliValue, parseQuantity, wholeValue, zeroQuantity } from '../../base/quantity.ts'
import { isSidecar } from '../pod-predicates.ts'

interface Amounts {
  readonly cpu: number
  readonly memory: number
  readonly storage: number
  /** Huge pages and extended resources, sorted by name. Absent: none. */
  readonly scalars?: ReadonlyMap<string, number>
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

export const readAmount = (resource: string, text: string): number => (resource === 'cpu' ? milliAmount(text) : wholeAmount(text))

// The defaults of kube-scheduler for a container without a request.
const defaultCpu = 100
const defaultMemory = 200 * 1024 * 1024

type Sums = Map<string, number>

function addList(sums: Sums, list: List): void {
  if (list === undefined) return
  for (const resource of Object.keys(list)) sums.set(resource, (sums.get(resource) ?? 0) + readAmount(resource, list[resource]!))
}

function raise(sums: Sums, other: ReadonlyMap<string, number>): void {
  for (const [resource, amount] of other) if (amount > (sums.get(resource) ?? 0)) sums.set(resource, amount)
}

/**
 * The peak request of the pod: the sum of all containers and sidecars, or an init container with the sidecars started
 * before it, whichever is larger. Pod-level requests override it; the overhead is added.
 */
function peakOf({ spec }: Pod, missing: List): Sums {
  const total: Sums = new Map()
  const requestsOf = ({ resources }: Container): List => (missing ? { ...missing, ...resources?.requests } : resources?.requests)
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

const missing = { cpu: `${defaultCpu}m`, memory: String(defaultMemory) }

export function readRequests(pod: Pod): PodRequests {
  const { cpu, memory, storage, scalars } = asAmounts(peakOf(pod, undefined))
  const isComplete = cpu > 0 && memory > 0 && pod.spec?.containers?.length === 1 && !pod.spec.initContainers?.length
  const nonZero = isComplete ? undefined : peakOf(pod, missing)
  return {
    cpu,
    memory,
    storage,
    ...(scalars && { scalars }),
    nonZeroCpu: nonZero?.get('cpu') ?? cpu,
    nonZeroMemory: nonZero?.get('memory') ?? memory,
  }
}

function asAmounts(sums: ReadonlyMap<string, number>): Amounts {
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
  const sums: Sums = new Map()
  addList(sums, list)
  return { ...asAmounts(sums), pods: sums.get('pods') ?? 0 }
}

// The usage of quotas by a pod.
// Kubernetes: pkg/quota/v1/evaluator/core.PodUsageFunc, podComputeUsageHelper, QuotaV1Pod, isExtendedResourceNameForQuota
import { parseTime } from '../../../../base/clock.ts'
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../../../base/quantity.ts'
import type { Container, ContainerStatus, Pod, PodSpec } from '../../../types.ts'
import { addAll, isPodLevelResource, totals } from '../pod/resources.ts'

export type Amounts = ReadonlyMap<string, Quantity>
type List = Readonly<Record<string, string>>

export const one: Quantity = { nano: 1_000_000_000n, format: 'DecimalSI' }

/**
 * Until when the pod counts: forever (Infinity), no longer (-Infinity), or, for a pod that does not terminate in time, until one
 * more grace period after its deletionTimestamp.
 */
export function chargedUntilMs({ metadata, status }: Pod): number {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return Number.NEGATIVE_INFINITY
  if (metadata?.deletionTimestamp === undefined || metadata.deletionGracePeriodSeconds === undefined) return Number.POSITIVE_INFINITY
  return parseTime(metadata.deletionTimestamp) + metadata.deletionGracePeriodSeconds * 1000
}

/** The quota scope Terminating selects pods with activeDeadlineSeconds. It is not about deletion. */
export function hasDeadline({ spec }: Pod): boolean {
  return (spec?.activeDeadlineSeconds ?? -1) >= 0
}

export function hasPodLevelResources({ spec }: Pod): boolean {
  return [...Object.keys(spec?.resources?.requests ?? {}), ...Object.keys(spec?.resources?.limits ?? {})].some(isPodLevelResource)
}

/** Names of the quota resources that these requests and limits stand for, each with its amount. */
export function computeAmounts(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const result = new Map<string, Quantity>([['pods', one]])
  for (const [name, amount] of requests) {
    if (name === 'ephemeral-storage' || isPodLevelResource(name)) {
      result.set(name, amount)
      result.set(`requests.${name}`, amount)
    } else if (isExtended(name)) result.set(`requests.${name}`, amount)
  }
  for (const name of ['cpu', 'memory', 'ephemeral-storage']) {
    const amount = limits.get(name)
    if (amount !== undefined) result.set(`limits.${name}`, amount)
  }
  return result
}

/** The caller leaves out pods that no longer count. */
export function podAmounts(pod: Pod): Map<string, Quantity> {
  return computeAmounts(podTotals(pod, 'requests'), podTotals(pod, 'limits'))
}

const deviceClass = 'deviceclass.resource.kubernetes.io/'

/** `example.com/gpu`: a resource with a domain other than kubernetes.io. */
export function isExtended(name: string): boolean {
  if (name.startsWith(deviceClass)) return true
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.')
}

function podTotals(pod: Pod, of: 'limits' | 'requests'): Amounts {
  const { spec } = pod
  if (spec === undefined) return new Map()
  const sums = totals(effectiveSpec(pod, spec, of), of)
  for (const [name, text] of Object.entries(spec.resources?.[of] ?? {})) {
    const amount = parseQuantity(text)
    if (amount !== undefined && isPodLevelResource(name)) sums.set(name, amount)
  }
  const overhead = readList(spec.overhead as List | undefined)
  if (of === 'requests') addAll(sums, overhead)
  else
    for (const [name, amount] of overhead) {
      const limit = sums.get(name)
      if (limit !== undefined && limit.nano !== 0n) sums.set(name, addQuantities(limit, amount))
    }
  return sums
}

/** A container that is being resized counts with the maximum of its actual, allocated and requested resources. */
function effectiveSpec(pod: Pod, spec: PodSpec, of: 'limits' | 'requests'): PodSpec {
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])]
  const resized = new Map(statuses.filter(({ resources }) => resources !== undefined).map((status) => [status.name, status]))
  if (resized.size === 0) return spec
  const isInfeasible = pod.status?.conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible'
  const effective = (container: Container): Container => {
    const status = resized.get(container.name)
    return status === undefined ? container : withEffective(container, status, of, isInfeasible)
  }
  return {
    ...spec,
    containers: spec.containers.map(effective),
    ...(spec.initContainers && {
      initContainers: spec.initContainers.map((container) => (container.restartPolicy === 'Always' ? effective(container) : container)),
    }),
  }
}

function withEffective(container: Container, status: ContainerStatus, of: 'limits' | 'requests', isInfeasible: boolean): Container {
  const lists = [
    ...(isInfeasible ? [] : [container.resources?.[of]]),
    status.resources?.[of],
    ...(of === 'requests' ? [status.allocatedResources] : []),
  ] as readonly (List | undefined)[]
  const most = new Map<string, string>()
  for (const list of lists)
    for (const [name, text] of Object.entries(list ?? {})) {
      const [before, amount] = [parseQuantity(most.get(name) ?? ''), parseQuantity(text)]
      if (before === undefined || (amount !== undefined && compareQuantities(amount, before) > 0)) most.set(name, text)
    }
  return { ...container, resources: { ...container.resources, [of]: Object.fromEntries(most) } }
}

export function readList(list: List | undefined): Map<string, Quantity> {
  const amounts = new Map<string, Quantity>()
  for (const [name, text] of Object.entries(list ?? {})) {
    const amount = parseQuantity(text)
    if (amount !== undefined) amounts.set(name, amount)
  }
  return amounts
}

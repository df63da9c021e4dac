// The resources of a pod: defaults of requests and limits, and what its containers need together.
// Kubernetes: pkg/apis/core/v1.SetDefaults_Pod, SetDefaults_ResourceList, defaultPodRequests, defaultHugePagePodLimits
// Kubernetes: k8s.io/component-helpers/resource.PodRequests, PodLimits, AggregateContainerRequests, AggregateContainerLimits
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, type Quantity, zeroQuantity } from '../../../../base/quantity.ts'
import { fillMap, replaceFields } from '../../../machinery/fields.ts'
import { type ResourceList, roundResources } from '../../../machinery/resource-rounding.ts'
import type { Container, PodSpec, ResourceRequirements, Writable } from '../../../types.ts'

type Requirements = Writable<ResourceRequirements>

export function roundRequirements(resources: Requirements | undefined): void {
  roundResources(resources?.limits)
  roundResources(resources?.requests)
}

/** A request for everything that has a limit and no request. */
export function defaultRequestsToLimits(resources: Requirements | undefined): Requirements | undefined {
  if (resources?.limits === undefined) return resources
  const { limits, requests } = resources
  if (requests !== undefined && Object.keys(limits).every((name) => Object.hasOwn(requests, name))) return resources
  return replaceFields('core.ResourceRequirements', resources, { requests: fillMap(requests, limits) })
}

const isHugePage = (name: string) => name.startsWith('hugepages-')
export const isPodLevelResource = (name: string) => name === 'cpu' || name === 'memory' || isHugePage(name)

/** Limits and requests of the pod as a whole, where it has some and leaves out others (KEP-2837). */
export function defaultPodLevelResources(spec: Writable<PodSpec>): void {
  if (spec.resources === undefined) return
  const limits = podLevelLimits(spec, spec.resources)
  const requests = podLevelRequests(spec, limits, spec.resources.requests)
  if (limits !== spec.resources.limits || requests !== spec.resources.requests)
    spec.resources = replaceFields('core.ResourceRequirements', spec.resources, { limits, requests })
}

function podLevelLimits(spec: Writable<PodSpec>, { limits, requests }: Requirements): ResourceList | undefined {
  if (isEmpty(limits) && isEmpty(requests)) return limits
  const more: ResourceList = {}
  for (const [name, total] of totals(spec, 'limits'))
    if (isHugePage(name) && !has(requests, name) && !has(limits, name)) more[name] = formatQuantity(total)
  return isEmpty(more) ? limits : fillMap(limits, more)
}

function podLevelRequests(
  spec: Writable<PodSpec>,
  limits: ResourceList | undefined,
  requests: ResourceList | undefined,
): ResourceList | undefined {
  if (limits === undefined || isEmpty(limits)) return requests
  const more: ResourceList = {}
  for (const [name, total] of totals(spec, 'requests'))
    if (isPodLevelResource(name) && !isHugePage(name) && !has(requests, name)) more[name] = formatQuantity(total)
  for (const [name, limit] of Object.entries(limits))
    if (isPodLevelResource(name) && !has(requests, name) && !has(more, name)) more[name] = limit
  return isEmpty(more) ? requests : fillMap(requests, more)
}

const has = (list: ResourceList | undefined, name: string) => list !== undefined && Object.hasOwn(list, name)
const isEmpty = (list: ResourceList | undefined) => list === undefined || Object.keys(list).length === 0

/**
 * What the containers of a pod need together: the sum of those that run side by side, or, where it is more, what one
 * init container needs beside the sidecars that were started before it.
 */
export function totals(spec: PodSpec, of: 'limits' | 'requests'): Map<string, Quantity> {
  const sum = new Map<string, Quantity>()
  for (const container of spec.containers ?? []) addAll(sum, amounts(container, of))
  const sidecars = new Map<string, Quantity>()
  const starting = new Map<string, Quantity>()
  for (const container of spec.initContainers ?? []) {
    const own = amounts(container, of)
    const beside = new Map(sidecars)
    addAll(beside, own)
    if (container.restartPolicy === 'Always') {
      addAll(sum, own)
      addAll(sidecars, own)
    }
    raiseAll(starting, beside)
  }
  raiseAll(sum, starting)
  return sum
}

export function amounts(container: Container, of: 'limits' | 'requests'): Map<string, Quantity> {
  const result = new Map<string, Quantity>()
  for (const [name, text] of Object.entries(container.resources?.[of] ?? {})) result.set(name, parseQuantity(text) ?? zeroQuantity)
  return result
}

export function addAll(sum: Map<string, Quantity>, more: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of more) {
    const before = sum.get(name)
    sum.set(name, before === undefined ? amount : addQuantities(before, amount))
  }
}

function raiseAll(highest: Map<string, Quantity>, others: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of others) {
    const before = highest.get(name)
    if (before === undefined || compareQuantities(before, amount) < 0) highest.set(name, amount)
  }
}

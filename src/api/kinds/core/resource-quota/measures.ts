// How the objects of each kind are measured against quotas.
// Kubernetes: pkg/quota/v1/evaluator/core.podEvaluator.*, serviceEvaluator.*, pvcEvaluator.*, claimEvaluator.*
// Kubernetes: k8s.io/apiserver/pkg/quota/v1/generic.objectCountEvaluator.*
import { getOrAdd } from '../../../../base/maps.ts'
import { compareQuantities, isWhole, type Quantity, zeroQuantity } from '../../../../base/quantity.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { KubernetesObject, PersistentVolumeClaim, Pod, ResourceQuota, Service } from '../../../types.ts'
import {
  type Amounts,
  chargedUntilMs,
  computeAmounts,
  hasDeadline,
  hasPodLevelResources,
  isExtended,
  one,
  podAmounts,
  readList,
} from './pod-usage.ts'
import { claimMatchesScope, podMatchesScope, type ScopeRequirement, scopesOf } from './scopes.ts'

export interface QuotaMeasure {
  /** Whether a quota on that resource name concerns the kind. */
  tracks(resource: string): boolean
  usage(object: KubernetesObject, nowMs: number): Amounts
  /** When `usage` changes although the object does not. Infinity: never. */
  changesAtMs(object: KubernetesObject): number
  matchesScope(requirement: ScopeRequirement, object: KubernetesObject): boolean
  /** Whether the update can increase the usage. */
  isChargedOnUpdate(next: KubernetesObject, current: KubernetesObject, subresource: string | undefined): boolean
  /** Why quotas on these resources refuse the object, or undefined. */
  findMissing?(resources: readonly string[], object: KubernetesObject): string | undefined
}

/** Whether the quota applies to objects of that kind, and to this one. */
export function isQuotaFor(quota: ResourceQuota, measure: QuotaMeasure, object: KubernetesObject): boolean {
  return Object.keys(quota.spec?.hard ?? {}).some(measure.tracks) && scopesOf(quota).every((scope) => measure.matchesScope(scope, object))
}

type MeasuredKind = Pick<Kind, 'group' | 'plural' | 'namespaced' | 'verbs'>
const measures = new Map<string, QuotaMeasure | undefined>()

/** Undefined for kinds without quotas: those without namespaces, those that are not stored, and Events. */
export function quotaMeasureOf(kind: MeasuredKind): QuotaMeasure | undefined {
  const name = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`
  if (measures.has(name)) return measures.get(name)
  const isKept = kind.verbs === undefined || (kind.verbs.includes('create') && kind.verbs.includes('list'))
  const measure = kind.namespaced && isKept && kind.plural !== 'events' ? (special.get(name) ?? countMeasure(name)) : undefined
  measures.set(name, measure)
  return measure
}

/** Resource names that are older than `count/…`. */
const aliases = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'])

const never = () => Number.POSITIVE_INFINITY

function countMeasure(name: string): QuotaMeasure {
  const names = [`count/${name}`, ...(aliases.has(name) ? [name] : [])]
  const usage = new Map(names.map((each) => [each, one]))
  return {
    tracks: (resource) => names.includes(resource),
    usage: () => usage,
    changesAtMs: never,
    matchesScope: () => false,
    isChargedOnUpdate: () => false,
  }
}

const computed = ['cpu', 'memory', 'ephemeral-storage']
const podResources = new Set(['count/pods', 'pods', ...computed.flatMap((name) => [name, `requests.${name}`, `limits.${name}`])])
/** A quota on one of these requires every container to have a request or limit for it. */
const compulsory = new Set(['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]))

// The same pod is measured again and again, and does not change.
const measuredPods = new WeakMap<Pod, Amounts>()
const podCount: Amounts = new Map([['count/pods', one]])

const podMeasure: QuotaMeasure = {
  tracks: (resource) =>
    podResources.has(resource) ||
    resource.startsWith('hugepages-') ||
    resource.startsWith('requests.hugepages-') ||
    (resource.startsWith('requests.') && isExtended(resource.slice('requests.'.length))),
  usage(object, nowMs) {
    const pod = object as Pod
    if (nowMs > chargedUntilMs(pod)) return podCount
    return getOrAdd(measuredPods, pod, () => podAmounts(pod).set('count/pods', one))
  },
  changesAtMs(object) {
    const untilMs = chargedUntilMs(object as Pod)
    return Number.isFinite(untilMs) ? untilMs + 1 : Number.POSITIVE_INFINITY
  },
  matchesScope: (requirement, object) => podMatchesScope(requirement, object as Pod),
  isChargedOnUpdate: (next, current, subresource) =>
    subresource === 'resize' || (subresource === undefined && hasDeadline(next as Pod) !== hasDeadline(current as Pod)),
  findMissing(resources, object) {
    const pod = object as Pod
    if (hasPodLevelResources(pod)) return undefined
    const required = resources.filter((name) => compulsory.has(name)).sort()
    if (required.length === 0) return undefined
    const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])].map(({ name, resources }) => ({
      name,
      has: computeAmounts(readList(resources?.requests), readList(resources?.limits)),
    }))
    const sentences = required.flatMap((resource) => {
      const without = containers.filter(({ has }) => !has.has(resource)).map(({ name }) => name)
      return without.length === 0 ? [] : [`${resource} for: ${[...new Set(without)].sort().join(',')}`]
    })
    return sentences.length === 0 ? undefined : `must specify ${sentences.join('; ')}`
  },
}

const count = (number: number): Quantity => ({ nano: BigInt(number) * 1_000_000_000n, format: 'DecimalSI' })
const serviceResources = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers'])

const serviceMeasure: QuotaMeasure = {
  tracks: (resource) => serviceResources.has(resource),
  usage(object) {
    const { spec } = object as Service
    const ports = spec?.ports ?? []
    const isBalanced = spec?.type === 'LoadBalancer'
    const chosen = isBalanced && spec?.allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => nodePort) : ports
    return new Map([
      ['count/services', one],
      ['services', one],
      ['services.loadbalancers', isBalanced ? one : zeroQuantity],
      ['services.nodeports', isBalanced || spec?.type === 'NodePort' ? count(chosen.length) : zeroQuantity],
    ])
  },
  changesAtMs: never,
  matchesScope: () => false,
  isChargedOnUpdate: (_next, _current, subresource) => subresource === undefined,
}

const byStorageClass = '.storageclass.storage.k8s.io/'
const claimResources = ['persistentvolumeclaims', 'requests.storage']

const claimMeasure: QuotaMeasure = {
  tracks: (resource) =>
    resource === 'count/persistentvolumeclaims' ||
    claimResources.some((name) => resource === name || resource.endsWith(byStorageClass + name)),
  usage(object) {
    const claim = object as PersistentVolumeClaim
    const amounts = new Map([
      ['persistentvolumeclaims', one],
      ['count/persistentvolumeclaims', one],
    ])
    const storage = claimedStorage(claim)
    if (storage !== undefined) amounts.set('requests.storage', storage)
    const storageClass = claim.metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? claim.spec?.storageClassName
    if (storageClass) {
      amounts.set(`${storageClass}${byStorageClass}persistentvolumeclaims`, one)
      if (storage !== undefined) amounts.set(`${storageClass}${byStorageClass}requests.storage`, storage)
    }
    return amounts
  },
  changesAtMs: never,
  matchesScope: (requirement, object) => claimMatchesScope(requirement, object as PersistentVolumeClaim),
  isChargedOnUpdate: (_next, _current, subresource) => subresource === undefined,
}

/** The requested size, or the allocated one if a failed expansion left it larger. Rounded up to whole bytes. */
function claimedStorage({ spec, status }: PersistentVolumeClaim): Quantity | undefined {
  const asked = readList(spec?.resources?.requests).get('storage')
  const allocated = readList(status?.allocatedResources).get('storage')
  if (asked === undefined) return undefined
  const most = allocated !== undefined && compareQuantities(allocated, asked) > 0 ? allocated : asked
  return isWhole(most) ? most : { ...most, nano: (most.nano / one.nano + 1n) * one.nano }
}

const special = new Map([
  ['pods', podMeasure],
  ['services', serviceMeasure],
  ['persistentvolumeclaims', claimMeasure],
])

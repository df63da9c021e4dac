// LimitRanges provide default requests and limits of containers, and limit pods and claims.
// Kubernetes: plugin/pkg/admission/limitranger.LimitRanger.Admit, LimitRanger.Validate, LimitRanger.runLimitFunc
import { amounts, totals } from '../../api/kinds/core/pod/resources.ts'
import { limitRanges, persistentVolumeClaims, pods } from '../../api/kinds.ts'
import { fillMap, replaceFields } from '../../api/machinery/fields.ts'
import { joinErrors } from '../../api/machinery/go-text.ts'
import type { Container, LimitRange, PersistentVolumeClaim, Pod, Writable } from '../../api/types.ts'
import { copyJson } from '../../base/json.ts'
import { compareQuantities, formatQuantity, parseQuantity, type Quantity, zeroQuantity } from '../../base/quantity.ts'
import { type AdmissionPlugin, type AdmittedWrite, among } from './plugin.ts'

// A terminating object is not limited: its finalizers could not be removed.
const isTerminating = ({ current }: AdmittedWrite) => current?.metadata?.deletionTimestamp !== undefined

/** A pod is limited when it is created, and when it is resized. */
const isLimited = (write: AdmittedWrite) => write.current === undefined || (write.subresource === 'resize' && !isTerminating(write))

export const podLimits: AdmissionPlugin = {
  concerns: among(pods),
  admit(write) {
    if (!isLimited(write)) return
    const ranges = write.cluster.list(limitRanges, write.namespace)
    if (ranges.length === 0) return
    const pod = write.next as Writable<Pod>
    pod.spec = copyJson(pod.spec!)
    applyLimitRanges(pod, ranges)
  },
  check(write) {
    return isLimited(write) ? checkPodLimits(write.next as Pod, write.cluster.list(limitRanges, write.namespace)) : undefined
  },
}

export const claimLimits: AdmissionPlugin = {
  concerns: among(persistentVolumeClaims),
  check(write) {
    if (write.subresource !== undefined || isTerminating(write)) return undefined
    return checkClaimLimits(write.next as PersistentVolumeClaim, write.cluster.list(limitRanges, write.namespace))
  },
}

// Kubernetes: plugin/pkg/admission/limitranger.DefaultLimitRangerActions.*, PodMutateLimitFunc, PodValidateLimitFunc
// Kubernetes: plugin/pkg/admission/limitranger.PersistentVolumeClaimValidateLimitFunc, minConstraint, maxConstraint
// Kubernetes: plugin/pkg/admission/limitranger.maxRequestConstraint, limitRequestRatioConstraint, defaultContainerResourceRequirements
// Kubernetes: plugin/pkg/admission/limitranger.mergePodResourceRequirements, podRequests, podLimits
type Amounts = ReadonlyMap<string, Quantity>

interface LimitRangeItem {
  readonly type: string
  readonly max?: Readonly<Record<string, string>>
  readonly min?: Readonly<Record<string, string>>
  readonly default?: Readonly<Record<string, string>>
  readonly defaultRequest?: Readonly<Record<string, string>>
  readonly maxLimitRequestRatio?: Readonly<Record<string, string>>
}

const annotation = 'kubernetes.io/limit-ranger'

const itemsOf = ({ spec }: LimitRange) => (spec?.limits ?? []) as readonly LimitRangeItem[]

/** Sets missing requests and limits to the defaults of the namespace, and records that in an annotation. At creation, before other admission plugins. */
export function applyLimitRanges(pod: Writable<Pod>, limitRanges: readonly LimitRange[]): void {
  for (const limitRange of limitRanges) {
    let requests: Readonly<Record<string, string>> = {}
    let limits: Readonly<Record<string, string>> = {}
    for (const item of itemsOf(limitRange)) {
      if (item.type !== 'Container') continue
      requests = { ...requests, ...item.defaultRequest }
      limits = { ...limits, ...item.default }
    }
    const notes = [
      ...addToContainers(pod.spec?.containers, 'container', requests, limits),
      ...addToContainers(pod.spec?.initContainers, 'init container', requests, limits),
    ]
    if (notes.length === 0) continue
    const metadata: NonNullable<typeof pod.metadata> = pod.metadata ?? {}
    pod.metadata = replaceFields('meta.ObjectMeta', metadata, {
      annotations: fillMap({ [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` }, metadata.annotations ?? {}),
    })
  }
}

type Lists = Readonly<Record<string, string>>

function addToContainers(containers: Writable<Container>[] | undefined, what: string, requests: Lists, limits: Lists): string[] {
  const notes: string[] = []
  for (const [i, container] of (containers ?? []).entries()) {
    const { limits: ownLimits = {}, requests: ownRequests = {} } = container.resources ?? {}
    const newRequests = Object.keys(requests).filter((name) => !Object.hasOwn(ownRequests, name))
    const newLimits = Object.keys(limits).filter((name) => !Object.hasOwn(ownLimits, name))
    if (newRequests.length === 0 && newLimits.length === 0) continue
    const both = { limits: fillMap(ownLimits, limits), requests: fillMap(ownRequests, requests) }
    const resources = replaceFields('core.ResourceRequirements', container.resources, {
      limits: Object.keys(both.limits).length > 0 ? both.limits : undefined,
      requests: Object.keys(both.requests).length > 0 ? both.requests : undefined,
    })
    containers![i] = replaceFields('core.Container', container, { resources })
    if (newRequests.length > 0) notes.push(`${newRequests.sort().join(', ')} request for ${what} ${container.name}`)
    if (newLimits.length > 0) notes.push(`${newLimits.sort().join(', ')} limit for ${what} ${container.name}`)
  }
  return notes
}

/** The reason why the pod is forbidden, or undefined. At creation, after validation. */
export function checkPodLimits({ spec }: Pod, limitRanges: readonly LimitRange[]): string | undefined {
  if (limitRanges.length === 0 || !spec) return undefined
  for (const limitRange of limitRanges) {
    const problems: string[] = []
    for (const item of itemsOf(limitRange)) {
      if (item.type === 'Container')
        for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])])
          problems.push(...checkItem(item, amounts(container, 'requests'), amounts(container, 'limits')))
      if (item.type === 'Pod') problems.push(...checkItem(item, podAmounts(spec, 'requests'), podAmounts(spec, 'limits')))
    }
    if (problems.length > 0) return joinErrors(problems)
  }
  return undefined
}

function podAmounts(spec: NonNullable<Pod['spec']>, of: 'limits' | 'requests'): Amounts {
  const sums = totals(spec, of)
  for (const name of ['cpu', 'memory']) {
    const own = spec.resources?.[of]?.[name]
    if (own !== undefined) sums.set(name, parseQuantity(own) ?? zeroQuantity)
  }
  return sums
}

/** The same for a claim, of which only the requests count. */
export function checkClaimLimits({ spec }: PersistentVolumeClaim, limitRanges: readonly LimitRange[]): string | undefined {
  const requests = amounts({ name: '', resources: spec?.resources ?? {} }, 'requests')
  for (const limitRange of limitRanges) {
    const problems: string[] = []
    for (const item of itemsOf(limitRange)) {
      if (item.type !== 'PersistentVolumeClaim') continue
      problems.push(...eachOf(item.min, (name, least) => checkMinimum(item.type, name, least, requests, new Map())))
      problems.push(...eachOf(item.max, (name, most) => checkMaximumRequest(item.type, name, most, requests)))
    }
    if (problems.length > 0) return joinErrors(problems)
  }
  return undefined
}

type Check = (name: string, enforced: Quantity) => string | undefined

function eachOf(list: Readonly<Record<string, string>> | undefined, check: Check): string[] {
  return Object.keys(list ?? {}).flatMap((name) => check(name, parseQuantity(list![name]!) ?? zeroQuantity) ?? [])
}

function checkItem(item: LimitRangeItem, requests: Amounts, limits: Amounts): string[] {
  return [
    ...eachOf(item.min, (name, least) => checkMinimum(item.type, name, least, requests, limits)),
    ...eachOf(item.max, (name, most) => checkMaximum(item.type, name, most, requests, limits)),
    ...eachOf(item.maxLimitRequestRatio, (name, ratio) => checkRatio(item.type, name, ratio, requests, limits)),
  ]
}

function checkMinimum(type: string, name: string, least: Quantity, requests: Amounts, limits: Amounts): string | undefined {
  const rule = `minimum ${name} usage per ${type} is ${formatQuantity(least)}`
  const request = requests.get(name)
  const limit = limits.get(name)
  if (request === undefined) return `${rule}.  No request is specified`
  if (compareQuantities(request, least) < 0) return `${rule}, but request is ${formatQuantity(request)}`
  return limit !== undefined && compareQuantities(limit, least) < 0 ? `${rule}, but limit is ${formatQuantity(limit)}` : undefined
}

function checkMaximum(type: string, name: string, most: Quantity, requests: Amounts, limits: Amounts): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(most)}`
  const request = requests.get(name)
  const limit = limits.get(name)
  if (limit === undefined) return `${rule}.  No limit is specified`
  if (compareQuantities(limit, most) > 0) return `${rule}, but limit is ${formatQuantity(limit)}`
  return request !== undefined && compareQuantities(request, most) > 0 ? `${rule}, but request is ${formatQuantity(request)}` : undefined
}

function checkMaximumRequest(type: string, name: string, most: Quantity, requests: Amounts): string | undefined {
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(most)}`
  const request = requests.get(name)
  if (request === undefined) return `${rule}.  No request is specified`
  return compareQuantities(request, most) > 0 ? `${rule}, but request is ${formatQuantity(request)}` : undefined
}

function checkRatio(type: string, name: string, most: Quantity, requests: Amounts, limits: Amounts): string | undefined {
  const rule = `${name} max limit to request ratio per ${type} is ${formatQuantity(most)}`
  const request = requests.get(name)
  const limit = limits.get(name)
  if (request === undefined || request.nano === 0n) return `${rule}, but no request is specified or request is 0`
  if (limit === undefined || limit.nano === 0n) return `${rule}, but no limit is specified or limit is 0`
  const ratio = Number(limit.nano) / Number(request.nano)
  const allowed = Number(most.nano) / 1e9
  return ratio > allowed ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined
}

// From the metrics of pods to a number of replicas: kube-controller-manager's replica calculator.
// Kubernetes: pkg/controller/podautoscaler.ReplicaCalculator.*, Tolerances.isWithin, groupPods, calculateRequests, removeMetricsForPods
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.tolerancesForHpa
import type { Pod } from '../../../api/types.ts'
import { parseOptionalTime, parseTime } from '../../../base/clock.ts'
import { milliValue, parseQuantity } from '../../../base/quantity.ts'
import { readyCondition } from '../../shared/plan/pod-state.ts'

export interface PodMetric {
  /** In thousandths. */
  readonly value: number
  readonly timestampMs: number
  /** How long the measurement took. */
  readonly windowMs: number
}
/** By the name of the pod. */
export type PodMetrics = ReadonlyMap<string, PodMetric>

export interface Tolerances {
  readonly up: number
  readonly down: number
}

/** Flags of kube-controller-manager, with its defaults. */
interface ReadinessRules {
  readonly cpuInitializationMs: number
  readonly initialReadinessDelayMs: number
}
export const defaultReadinessRules: ReadinessRules = { cpuInitializationMs: 300_000, initialReadinessDelayMs: 30_000 }

/** Why no number could be computed. */
export class MetricError extends Error {}

export interface ReplicaCount {
  readonly replicas: number
  /** Percent of the requests; undefined for metrics that are not compared with requests. */
  readonly utilization?: number
  /** The average of a pod, in thousandths. */
  readonly average: number
}

interface Groups {
  readonly ready: number
  readonly unready: ReadonlySet<string>
  readonly missing: ReadonlySet<string>
  readonly ignored: ReadonlySet<string>
}

/** `resource` is undefined for metrics of the pods themselves: then every pod with a metric counts. */
function groupPods(pods: readonly Pod[], metrics: PodMetrics, resource: string | undefined, nowMs: number, rules: ReadinessRules): Groups {
  const unready = new Set<string>()
  const missing = new Set<string>()
  const ignored = new Set<string>()
  let ready = 0
  for (const pod of pods) {
    const name = pod.metadata?.name ?? ''
    const metric = metrics.get(name)
    if (pod.metadata?.deletionTimestamp !== undefined || pod.status?.phase === 'Failed') ignored.add(name)
    else if (pod.status?.phase === 'Pending') unready.add(name)
    else if (metric === undefined) missing.add(name)
    else if (resource === 'cpu' && isUnreadyForCpu(pod, metric, nowMs, rules)) unready.add(name)
    else ready++
  }
  return { ready, unready, missing, ignored }
}

/** A pod that starts uses more CPU than it does later: its measurements do not count. */
function isUnreadyForCpu(pod: Pod, metric: PodMetric, nowMs: number, rules: ReadinessRules): boolean {
  const condition = readyCondition(pod)
  const startTime = pod.status?.startTime
  if (condition === undefined || startTime === undefined) return true
  const startMs = parseTime(startTime)
  const changedMs = parseOptionalTime(condition.lastTransitionTime) ?? 0
  const isNotReady = condition.status === 'False'
  if (startMs + rules.cpuInitializationMs > nowMs) return isNotReady || metric.timestampMs < changedMs + metric.windowMs
  return isNotReady && startMs + rules.initialReadinessDelayMs > changedMs
}

/** The sum of the requests of a pod's containers, or that of one of them, in thousandths. Throws MetricError where one has none. */
export function requestOf({ metadata, spec }: Pod, resource: string, container: string | undefined): number {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  const all = [...(spec?.containers ?? []), ...sidecars]
  const wanted = container === undefined ? all : all.filter(({ name }) => name === container)
  if (wanted.length === 0) throw new MetricError(`container ${container ?? ''} not found in Pod ${metadata?.name ?? ''}`)
  let sum = 0
  for (const { name, resources } of wanted) {
    const request = resources?.requests?.[resource]
    const quantity = request === undefined ? undefined : parseQuantity(request)
    if (quantity === undefined) throw new MetricError(`missing request for ${resource} in container ${name} of Pod ${metadata?.name ?? ''}`)
    sum += milliValue(quantity)
  }
  return sum
}

interface Measured {
  readonly pods: readonly Pod[]
  readonly metrics: PodMetrics
  readonly currentReplicas: number
  readonly tolerances: Tolerances
  readonly nowMs: number
  readonly rules: ReadinessRules
}

/** For a target in percent of the requests. */
export function replicasForUtilization(
  measured: Measured,
  resource: string,
  container: string | undefined,
  targetUtilization: number,
): ReplicaCount {
  const requests = new Map(measured.pods.map((pod) => [pod.metadata?.name ?? '', () => requestOf(pod, resource, container)]))
  const ratioOf = (metrics: PodMetrics) => {
    let usage = 0
    let requested = 0
    let measuredPods = 0
    for (const [name, { value }] of metrics) {
      const request = requests.get(name)
      if (request === undefined) continue
      usage += value
      requested += request()
      measuredPods++
    }
    if (requested === 0) throw new MetricError('no metrics returned matched known pods')
    const utilization = Math.trunc((usage * 100) / requested)
    return { ratio: utilization / targetUtilization, utilization, average: Math.trunc(usage / measuredPods) }
  }
  // A missing request is an error even if the pod's metric does not count.
  for (const request of requests.values()) request()
  const fallback = Math.max(100, targetUtilization)
  return count(measured, resource, ratioOf, (name) => Math.trunc((requests.get(name)!() * fallback) / 100))
}

/** For a target that is an average of all pods. */
export function replicasForAverage(measured: Measured, resource: string | undefined, target: number): ReplicaCount {
  const ratioOf = (metrics: PodMetrics) => {
    let total = 0
    for (const { value } of metrics.values()) total += value
    const average = total / metrics.size
    return { ratio: average / target, average: Math.trunc(average) }
  }
  return count(measured, resource, ratioOf, () => target)
}

type RatioOf = (metrics: PodMetrics) => { readonly ratio: number; readonly utilization?: number; readonly average: number }

/**
 * Pods without metrics dampen the change: they count as if they used `fallbackOf` when scaling down, and nothing when scaling up.
 * They never reverse the direction.
 */
function count(measured: Measured, resource: string | undefined, ratioOf: RatioOf, fallbackOf: (pod: string) => number): ReplicaCount {
  const { pods, currentReplicas, tolerances } = measured
  if (pods.length === 0) throw new MetricError('no pods returned by selector while calculating replica count')
  const { ready, unready, missing, ignored } = groupPods(pods, measured.metrics, resource, measured.nowMs, measured.rules)
  const metrics = new Map([...measured.metrics].filter(([name]) => !ignored.has(name) && !unready.has(name)))
  if (metrics.size === 0) throw new MetricError('did not receive metrics for targeted pods (pods might be unready)')
  const { ratio, ...measures } = ratioOf(metrics)
  const stay: ReplicaCount = { replicas: currentReplicas, ...measures }
  const growsWithUnready = unready.size > 0 && ratio > 1
  if (!growsWithUnready && missing.size === 0)
    return isWithin(tolerances, ratio) ? stay : { replicas: Math.ceil(ratio * ready), ...measures }
  const filled = new Map(metrics)
  const setValue = (name: string, value: number) => filled.set(name, { value, timestampMs: 0, windowMs: 0 })
  if (ratio < 1) for (const name of missing) setValue(name, fallbackOf(name))
  else if (ratio > 1) for (const name of missing) setValue(name, 0)
  if (growsWithUnready) for (const name of unready) setValue(name, 0)
  const { ratio: next } = ratioOf(filled)
  if (isWithin(tolerances, next) || (ratio < 1 && next > 1) || (ratio > 1 && next < 1)) return stay
  const replicas = Math.ceil(next * filled.size)
  const turns = (next < 1 && replicas > currentReplicas) || (next > 1 && replicas < currentReplicas)
  return turns ? stay : { replicas, ...measures }
}

const isWithin = ({ up, down }: Tolerances, ratio: number) => 1 - down <= ratio && ratio <= 1 + up

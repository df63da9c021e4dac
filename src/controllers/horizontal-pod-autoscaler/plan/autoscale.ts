// Plans one sync of an autoscaler with the algorithm of kube-controller-manager for autoscaling/v2. The snapshot contains the recent
// recommendations and scale events, and the plan those for the next sync.
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.reconcileAutoscaler, HorizontalController.computeReplicasForMetrics
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.computeReplicasForMetric, HorizontalController.validateAndParseSelector
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.computeStatusForResourceMetricGeneric
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.computeStatusForObjectMetric
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.computeStatusForPodsMetric
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.computeStatusForExternalMetric, HorizontalController.setStatus
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.getUnableComputeReplicaCountCondition, setConditionInList

import { withCondition } from '../../../api/machinery/conditions.ts'
import type { HorizontalPodAutoscaler, Pod } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { isEqualJson } from '../../../base/json.ts'
import { formatQuantity, milliValue, parseQuantity } from '../../../base/quantity.ts'
import { normal, type PlannedEvent, warning } from '../../shared/plan/planned-event.ts'
import {
  defaultReadinessRules,
  MetricError,
  type PodMetrics,
  type ReplicaCount,
  replicasForAverage,
  replicasForUtilization,
  type Tolerances,
} from './replica-count.ts'
import { limitScaling, nextHistory, type ScalingHistory } from './scaling-limits.ts'

type Spec = NonNullable<HorizontalPodAutoscaler['spec']>
type AutoscalerStatus = NonNullable<HorizontalPodAutoscaler['status']>
type Condition = NonNullable<AutoscalerStatus['conditions']>[number]
export type MetricSpec = NonNullable<Spec['metrics']>[number]
type MetricStatus = NonNullable<AutoscalerStatus['currentMetrics']>[number]

interface AutoscalerSnapshot {
  readonly autoscaler: HorizontalPodAutoscaler
  /** `spec.replicas` of the target, and the pods that its selector matches. */
  readonly currentReplicas: number
  readonly pods: readonly Pod[]
  /** The selector of the target, and the names of all autoscalers whose target selects one of these pods, this one included. */
  readonly selector: string
  /** Why the selector cannot be read. */
  readonly selectorProblem: string | undefined
  readonly selectedBy: readonly string[]
  /** The usage of a resource by pod, of all its containers or of one. Undefined when there is no metrics source. */
  usageOf(resource: string, container: string | undefined): PodMetrics | undefined
  readonly history: ScalingHistory
  readonly nowMs: number
}

interface AutoscalerPlan {
  /** The replicas to scale to; undefined leaves the target alone. */
  readonly scaleTo?: number
  /** Why it scales. */
  readonly reason?: string
  readonly status: AutoscalerStatus
  readonly history: ScalingHistory
  readonly events: readonly PlannedEvent[]
}

const defaultTolerance = 0.1

export function planAutoscaling(snapshot: AutoscalerSnapshot): AutoscalerPlan {
  const { autoscaler, currentReplicas: current, nowMs, history } = snapshot
  const spec = autoscaler.spec!
  const { minReplicas = 1, maxReplicas } = spec
  const conditions = new Conditions(autoscaler.status?.conditions, nowMs)
  conditions.set('AbleToScale', true, 'SucceededGetScale', "the HPA controller was able to get the target's current scale")
  if (current === 0 && minReplicas !== 0) {
    conditions.set('ScalingActive', false, 'ScalingDisabled', 'scaling is disabled since the replica count of the target is zero')
    return { status: statusOf(autoscaler, conditions, current, 0, undefined, undefined), history, events: [] }
  }
  if (current > maxReplicas || current < minReplicas) {
    const isAbove = current > maxReplicas
    const reason = isAbove ? 'Current number of replicas above Spec.MaxReplicas' : 'Current number of replicas below Spec.MinReplicas'
    return scalePlan(snapshot, conditions, isAbove ? maxReplicas : minReplicas, reason, undefined, initialHistory(history, current, nowMs))
  }
  const problem = selectionFailure(snapshot)
  const measured = problem === undefined ? measureAll(snapshot, spec) : undefined
  const failure = problem ?? measured?.failure
  if (failure !== undefined || measured === undefined) {
    const { reason, message, error, events } = failure!
    conditions.set('ScalingActive', false, reason, message)
    return {
      status: statusOf(autoscaler, conditions, current, autoscaler.status?.desiredReplicas ?? 0, measured?.statuses, undefined),
      history: initialHistory(history, current, nowMs),
      events: [...events, warning('FailedComputeMetricsReplicas', error)],
    }
  }
  conditions.set(
    'ScalingActive',
    true,
    'ValidMetricFound',
    `the HPA was able to successfully calculate a replica count from ${measured.metric}`,
  )
  const known = initialHistory(history, current, nowMs)
  const recommended = Math.max(0, measured.replicas)
  const { replicas, ableToScale, scalingLimited } = limitScaling(spec, current, recommended, known, nowMs)
  conditions.set('AbleToScale', true, ableToScale.reason, ableToScale.message)
  conditions.set('ScalingLimited', scalingLimited.isLimited, scalingLimited.reason, scalingLimited.message)
  if (replicas === current)
    return {
      status: statusOf(autoscaler, conditions, current, current, measured.statuses, undefined),
      history: nextHistory(known, recommended, current, undefined, nowMs),
      events: measured.events,
    }
  const reason = recommended > current ? `${measured.metric} above target` : 'All metrics below target'
  const next = nextHistory(known, recommended, current, replicas, nowMs)
  const plan = scalePlan(snapshot, conditions, replicas, reason, measured.statuses, next)
  return { ...plan, events: [...measured.events, ...plan.events] }
}

/** The first recommendation is the present size, so that a new autoscaler does not scale down at once. */
const initialHistory = (history: ScalingHistory, current: number, nowMs: number): ScalingHistory =>
  history.recommendations.length > 0 ? history : { ...history, recommendations: [{ replicas: current, atMs: nowMs }] }

function scalePlan(
  { autoscaler, currentReplicas, nowMs }: AutoscalerSnapshot,
  conditions: Conditions,
  scaleTo: number,
  reason: string,
  statuses: readonly MetricStatus[] | undefined,
  history: ScalingHistory,
): AutoscalerPlan {
  conditions.set('AbleToScale', true, 'SucceededRescale', `the HPA controller was able to update the target scale to ${scaleTo}`)
  return {
    scaleTo,
    reason,
    status: statusOf(autoscaler, conditions, currentReplicas, scaleTo, statuses, nowMs),
    history,
    events: [normal('SuccessfulRescale', `New size: ${scaleTo}; reason: ${reason}`)],
  }
}

function statusOf(
  { metadata, status }: HorizontalPodAutoscaler,
  conditions: Conditions,
  current: number,
  desired: number,
  metrics: readonly MetricStatus[] | undefined,
  scaledAtMs: number | undefined,
): AutoscalerStatus {
  const lastScaleTime = scaledAtMs === undefined ? status?.lastScaleTime : formatTime(scaledAtMs)
  return {
    ...(metadata?.generation !== undefined && { observedGeneration: metadata.generation }),
    ...(lastScaleTime !== undefined && { lastScaleTime }),
    ...(current !== 0 && { currentReplicas: current }),
    desiredReplicas: desired,
    currentMetrics: (metrics ?? null) as never,
    conditions: conditions.list,
  } as AutoscalerStatus
}

/** The status of an autoscaler whose target could not be read. */
export function failedStatus(autoscaler: HorizontalPodAutoscaler, problem: string, nowMs: number): AutoscalerStatus {
  const conditions = new Conditions(autoscaler.status?.conditions, nowMs)
  conditions.set('AbleToScale', false, 'FailedGetScale', `the HPA controller was unable to get the target's current scale: ${problem}`)
  const { desiredReplicas = 0, currentMetrics = null, ...rest } = autoscaler.status ?? {}
  return { ...rest, desiredReplicas, currentMetrics, conditions: conditions.list } as AutoscalerStatus
}

/** The status and the Events after the server refused to scale the target: desiredReplicas and lastScaleTime stay as they were. */
export function failedRescale(
  { status: before }: HorizontalPodAutoscaler,
  plan: AutoscalerPlan,
  problem: string,
  nowMs: number,
): Pick<AutoscalerPlan, 'status' | 'events'> {
  const conditions = new Conditions(plan.status.conditions, nowMs)
  conditions.set('AbleToScale', false, 'FailedUpdateScale', `the HPA controller was unable to update the target scale: ${problem}`)
  const { lastScaleTime: _, ...status } = plan.status
  return {
    status: {
      ...status,
      ...(before?.lastScaleTime !== undefined && { lastScaleTime: before.lastScaleTime }),
      desiredReplicas: before?.desiredReplicas ?? 0,
      conditions: conditions.list,
    },
    events: [
      ...plan.events.filter(({ reason }) => reason !== 'SuccessfulRescale'),
      warning('FailedRescale', `New size: ${plan.scaleTo}; reason: ${plan.reason}; error: ${problem}`),
    ],
  }
}

/** The status to write. Undefined: it has not changed. */
export function changedStatus(autoscaler: HorizontalPodAutoscaler, status: AutoscalerStatus): AutoscalerStatus | undefined {
  return isEqualJson(autoscaler.status, status) ? undefined : status
}

class Conditions {
  list: readonly Condition[]
  readonly #now: string

  constructor(known: readonly Condition[] | undefined, nowMs: number) {
    this.list = known ?? []
    this.#now = formatTime(nowMs)
  }

  set(type: string, isTrue: boolean, reason: string, message: string): void {
    const wanted = { type, status: isTrue ? 'True' : 'False', lastTransitionTime: this.#now, reason, message }
    this.list = withCondition<Condition>(this.list, wanted, this.#now)
  }
}

interface Failure {
  /** Of the condition ScalingActive. */
  readonly reason: string
  readonly message: string
  readonly error: string
  readonly events: readonly PlannedEvent[]
}

interface Measurements {
  readonly replicas: number
  readonly metric: string
  readonly statuses: readonly MetricStatus[]
  /** One for each metric that could not be read. */
  readonly events: readonly PlannedEvent[]
  readonly failure?: Failure
}

/** Pods without a selector, or with several autoscalers, are not scaled by their metrics. */
function selectionFailure({ autoscaler, selector, selectorProblem, selectedBy }: AutoscalerSnapshot): Failure | undefined {
  if (selector === '') {
    const [reason, error] = ['InvalidSelector', 'selector is required']
    return { reason, message: "the HPA target's scale is missing a selector", error, events: [warning('SelectorRequired', error)] }
  }
  if (selectorProblem !== undefined) {
    const message = `couldn't convert selector into a corresponding internal selector object: ${selectorProblem}`
    return { reason: 'InvalidSelector', message, error: message, events: [warning('InvalidSelector', message)] }
  }
  if (selectedBy.length < 2) return undefined
  const { namespace = '' } = autoscaler.metadata ?? {}
  const some = [...selectedBy]
    .sort()
    .slice(0, 2)
    .map((name) => `${namespace}/${name}`)
  const message = `pods by selector ${selector} are controlled by more than one HPA (e.g. [${some.join(' ')}])`
  return { reason: 'AmbiguousSelector', message, error: message, events: [warning('AmbiguousSelector', message)] }
}

/** The result is the largest recommendation of all metrics. If a metric cannot be read, nothing is scaled down. */
function measureAll(snapshot: AutoscalerSnapshot, { metrics = [], behavior }: Spec): Measurements {
  const tolerances = tolerancesOf(behavior)
  const statuses: MetricStatus[] = []
  const events: PlannedEvent[] = []
  let best: { readonly replicas: number; readonly metric: string } | undefined
  let first: { readonly reason: string; readonly message: string; readonly error: string } | undefined
  for (const metric of metrics) {
    try {
      const { count, name, status } = measure(snapshot, metric, tolerances)
      statuses.push(status)
      if (best === undefined || count.replicas > best.replicas) best = { replicas: count.replicas, metric: name }
    } catch (error) {
      if (!(error instanceof MetricError)) throw error
      statuses.push({ type: '' } as MetricStatus)
      const reason = failureReasons[metric.type] ?? 'InvalidMetricSourceType'
      events.push(warning(reason, error.message))
      const message = `the HPA was unable to compute the replica count: ${error.message}`
      first ??= { reason, message, error: `failed to get ${metricLabel(metric)} metric value: ${error.message}` }
    }
  }
  const { replicas = 0, metric = '' } = best ?? {}
  const isFailed = events.length >= metrics.length || (events.length > 0 && replicas < snapshot.currentReplicas)
  const prefix = `invalid metrics (${events.length} invalid out of ${metrics.length}), first error is: `
  const failure = isFailed && first !== undefined && { ...first, error: `${prefix}${first.error}`, events }
  return { replicas, metric, statuses, events, ...(failure && { failure }) }
}

function metricLabel({ type, resource, containerResource, external }: MetricSpec): string {
  if (type === 'Resource') return `${resource?.name ?? ''} resource`
  if (type === 'ContainerResource') return `${containerResource?.container ?? ''} container`
  return type === 'External' ? `${external?.metric.name ?? ''} external` : type.toLowerCase()
}

const failureReasons: Readonly<Record<string, string>> = {
  Resource: 'FailedGetResourceMetric',
  ContainerResource: 'FailedGetContainerResourceMetric',
  Pods: 'FailedGetPodsMetric',
  Object: 'FailedGetObjectMetric',
  External: 'FailedGetExternalMetric',
}

function tolerancesOf(behavior: Spec['behavior']): Tolerances {
  const read = (text: string | undefined) => {
    const quantity = text === undefined ? undefined : parseQuantity(text)
    return quantity === undefined ? defaultTolerance : Number(quantity.nano) / 1e9
  }
  return { up: read(behavior?.scaleUp?.tolerance), down: read(behavior?.scaleDown?.tolerance) }
}

interface Measurement {
  readonly count: ReplicaCount
  readonly name: string
  readonly status: MetricStatus
}

function measure(snapshot: AutoscalerSnapshot, metric: MetricSpec, tolerances: Tolerances): Measurement {
  if (metric.type === 'Resource' && metric.resource !== undefined) {
    const { name, target } = metric.resource
    const { count, current } = measureResource(snapshot, name, undefined, target, tolerances)
    const label = current.averageUtilization === undefined ? `${name} resource` : `${name} resource utilization (percentage of request)`
    return { count, name: label, status: { type: 'Resource', resource: { name, current } } }
  }
  if (metric.type === 'ContainerResource' && metric.containerResource !== undefined) {
    const { name, container, target } = metric.containerResource
    const { count, current } = measureResource(snapshot, name, container, target, tolerances)
    const label =
      current.averageUtilization === undefined ? `${name} resource` : `${name} container resource utilization (percentage of request)`
    return { count, name: label, status: { type: 'ContainerResource', containerResource: { name, current, container } } }
  }
  const pods = metric.type === 'Pods' ? measurePods(snapshot, metric, tolerances) : undefined
  if (pods !== undefined) return pods
  const name = (metric.pods ?? metric.object ?? metric.external)?.metric?.name ?? ''
  throw new MetricError(`unable to get metric ${name}: simulated nodes serve the metrics of cpu and memory only`)
}

/** Undefined where no pod has the metric. */
function measurePods(snapshot: AutoscalerSnapshot, { pods: source }: MetricSpec, tolerances: Tolerances): Measurement | undefined {
  if (source === undefined) return undefined
  const { metric, target } = source
  const metrics = snapshot.usageOf(metric.name, undefined)
  const wanted = parseQuantity(target.averageValue ?? '')
  if (metrics === undefined || metrics.size === 0 || wanted === undefined) return undefined
  const { pods, currentReplicas, nowMs } = snapshot
  const measured = { pods, metrics, currentReplicas, tolerances, nowMs, rules: defaultReadinessRules }
  const count = replicasForAverage(measured, undefined, milliValue(wanted))
  const current = { averageValue: quantityText('', count.average) }
  return { count, name: `pods metric ${metric.name}`, status: { type: 'Pods', pods: { metric, current } } }
}

type Target = NonNullable<MetricSpec['resource']>['target']

function measureResource(
  snapshot: AutoscalerSnapshot,
  resource: string,
  container: string | undefined,
  target: Target,
  tolerances: Tolerances,
) {
  const { pods, currentReplicas, nowMs } = snapshot
  const usage = snapshot.usageOf(resource, container)
  const isUtilization = target.averageValue === undefined
  const what = `failed to get ${resource} ${isUtilization ? 'utilization' : 'usage'}: `
  if (usage === undefined || usage.size === 0)
    throw new MetricError(`${what}unable to get metrics for resource ${resource}: no metrics returned from resource metrics API`)
  const measured = { pods, metrics: usage, currentReplicas, tolerances, nowMs, rules: defaultReadinessRules }
  try {
    const wanted = isUtilization ? undefined : parseQuantity(target.averageValue!)
    const count =
      wanted === undefined
        ? replicasForUtilization(measured, resource, container, target.averageUtilization ?? 0)
        : replicasForAverage(measured, resource, milliValue(wanted))
    const averageValue = quantityText(resource, count.average)
    return {
      count,
      current: { averageValue, ...(count.utilization !== undefined && { averageUtilization: count.utilization }) },
    }
  } catch (error) {
    throw error instanceof MetricError ? new MetricError(`${what}${error.message}`) : error
  }
}

/** Thousandths as Kubernetes writes them: memory in whole bytes. */
const quantityText = (resource: string, milli: number) =>
  resource === 'memory' ? String(Math.trunc(milli / 1000)) : formatQuantity({ nano: BigInt(milli) * 1_000_000n, format: 'DecimalSI' })

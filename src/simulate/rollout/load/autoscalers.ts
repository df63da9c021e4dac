// HorizontalPodAutoscalers of a plan: which workload each scales, and the objects to simulate. Pure.
import type { KubernetesObject } from '../../../api/types.ts'
import type { PlannedObject, Target } from '../plan.ts'
import { templateOf } from '../prepare.ts'
import type { LoadedAutoscaler } from './load.ts'

interface Spec {
  readonly scaleTargetRef?: { readonly kind?: string; readonly name?: string }
  readonly minReplicas?: number
  readonly maxReplicas?: number
  readonly metrics?: readonly Metric[]
  readonly behavior?: { readonly scaleDown?: { readonly stabilizationWindowSeconds?: number } }
}
interface Metric {
  readonly type?: string
  readonly resource?: { readonly name?: string; readonly target?: { readonly averageUtilization?: number } }
  readonly containerResource?: { readonly name?: string; readonly target?: { readonly averageUtilization?: number } }
  readonly pods?: { readonly metric?: { readonly name?: string } }
  readonly object?: { readonly metric?: { readonly name?: string } }
  readonly external?: { readonly metric?: { readonly name?: string } }
}

export const isAutoscaler = ({ object }: PlannedObject): boolean => object.kind === 'HorizontalPodAutoscaler'

const specOf = (object: KubernetesObject) => (object as { readonly spec?: Spec }).spec ?? {}
const replicasOf = (object: KubernetesObject) => (object as { readonly spec?: { readonly replicas?: number } }).spec?.replicas
export const namespaceOf = ({ metadata }: KubernetesObject) => metadata?.namespace ?? 'default'

const isTarget = (object: KubernetesObject, autoscaler: KubernetesObject) => {
  const { kind, name } = specOf(autoscaler).scaleTargetRef ?? {}
  return object.kind === kind && object.metadata?.name === name && namespaceOf(object) === namespaceOf(autoscaler)
}

/** The autoscaler of a workload. */
export const autoscalerOf = (objects: readonly PlannedObject[], target: Target): PlannedObject | undefined =>
  objects.find(
    (one) =>
      isAutoscaler(one) &&
      isTarget({ kind: target.kind, metadata: { name: target.name, namespace: target.namespace } } as KubernetesObject, one.object),
  )

export interface Sized {
  readonly objects: readonly PlannedObject[]
  readonly notes: readonly string[]
}

/** A workload without a size starts at the minimum of its autoscaler; one outside its range starts at the nearer end of the range. */
export function sizeByAutoscalers(objects: readonly PlannedObject[]): Sized {
  const notes: string[] = []
  const sized = objects.map((planned) => {
    const { object } = planned
    const autoscaler = objects.find((one) => isAutoscaler(one) && isTarget(object, one.object))
    if (autoscaler === undefined) return planned
    const { minReplicas: min = 1, maxReplicas: max = min } = specOf(autoscaler.object)
    const given = replicasOf(object)
    const size = Math.max(min, Math.min(max, given ?? min))
    // A size of 0 turns the autoscaler off.
    if (given === size || given === 0) return planned
    const why = given === undefined ? 'minReplicas' : size === min ? 'minReplicas, not fewer' : 'maxReplicas, not more'
    notes.push(
      `${object.metadata?.name} starts with ${size} ${size === 1 ? 'replica' : 'replicas'}: ${why} of HorizontalPodAutoscaler ${autoscaler.object.metadata?.name}`,
    )
    return { ...planned, object: { ...object, spec: { ...(object as { spec?: object }).spec, replicas: size } } as KubernetesObject }
  })
  return { objects: sized, notes }
}

/** The most replicas that autoscalers may ask for. */
export const maxScale = (objects: readonly PlannedObject[]): number =>
  Math.max(0, ...objects.filter(isAutoscaler).map(({ object }) => specOf(object).maxReplicas ?? 0))

const defaultWindowSeconds = 300
/** The next two syncs. */
const slackMs = 30_000

export interface LoadedObjects {
  readonly autoscaler?: LoadedAutoscaler
  /** The autoscaler with the metrics that follow from a load. */
  readonly object?: PlannedObject
  readonly notes: readonly string[]
}

/** `unit`: how the load is given. */
export function loadedAutoscaler(planned: PlannedObject | undefined, workload: PlannedObject, unit: 'rps' | '%'): LoadedObjects {
  if (planned === undefined) return { notes: [] }
  const { object } = planned
  const name = object.metadata?.name ?? ''
  const { metrics = [], behavior } = specOf(object)
  const isDriven = ({ type, resource, containerResource }: Metric) =>
    (type === 'Resource' && resource?.name === 'cpu') ||
    (type === 'ContainerResource' && containerResource?.name === 'cpu') ||
    (type === 'Pods' && unit === 'rps')
  const driven = metrics.filter(isDriven)
  const dropped = metrics.filter((metric) => !isDriven(metric)).map(metricName)
  const notes = [
    ...(dropped.length === 0 ? [] : [`HorizontalPodAutoscaler ${name} without ${dropped.join(', ')}: the load sets the CPU`]),
    ...(metrics.length > 0 && driven.length === 0 ? [`HorizontalPodAutoscaler ${name} scales by 80% CPU, its default`] : []),
    ...requestNotes(name, driven.length > 0 ? driven : metrics.slice(0, 0), workload),
    ...driven
      .filter(({ resource, containerResource }) => ((resource ?? containerResource)?.target?.averageUtilization ?? 0) >= 100)
      .map(() => `HorizontalPodAutoscaler ${name} aims at 100% or more, which pods at their capacity do not exceed`),
  ]
  const podMetrics = driven.flatMap(({ pods }) => (pods?.metric?.name === undefined ? [] : [pods.metric.name]))
  const spec = { ...(object as { spec?: object }).spec, ...(metrics.length > 0 && { metrics: driven }) }
  return {
    autoscaler: {
      name,
      quietMs: (behavior?.scaleDown?.stabilizationWindowSeconds ?? defaultWindowSeconds) * 1000 + slackMs,
      podMetrics,
    },
    object: { ...planned, object: { ...object, spec } as KubernetesObject },
    notes,
  }
}

const metricName = ({ type, resource, containerResource, pods, object, external }: Metric) =>
  (resource ?? containerResource)?.name ?? `the ${type} metric ${(pods ?? object ?? external)?.metric?.name ?? ''}`.trimEnd()

interface Requesting {
  readonly name?: string
  readonly resources?: { readonly requests?: Readonly<Record<string, unknown>>; readonly limits?: Readonly<Record<string, unknown>> }
}

/** Without a request there is no utilization, and the autoscaler does nothing. */
function requestNotes(name: string, metrics: readonly Metric[], { object }: PlannedObject): string[] {
  const isByRequest = metrics.length === 0 || metrics.some(({ type }) => type !== 'Pods')
  const containers = (templateOf(object)?.spec?.containers ?? []) as readonly Requesting[]
  const lacking = containers.filter(
    ({ resources }) => resources?.requests?.['cpu'] === undefined && resources?.limits?.['cpu'] === undefined,
  )
  return isByRequest && lacking.length > 0
    ? [`HorizontalPodAutoscaler ${name} cannot scale: container ${lacking[0]!.name} requests no CPU, as in Kubernetes`]
    : []
}

// Version 1 has a field for the CPU utilization only. It carries all other settings of version 2 in annotations, with the field names of that time.
// Kubernetes: pkg/apis/autoscaling/v1.Convert_autoscaling_HorizontalPodAutoscaler_To_v1_HorizontalPodAutoscaler
// Kubernetes: pkg/apis/autoscaling/v1.Convert_v1_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler

import { sortKeys } from '../../../../base/maps.ts'
import { isJsonObject } from '../../../machinery/json-object.ts'
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerV1, KubernetesObject } from '../../../types.ts'
import { cpuMetric, defaultCpuUtilization } from '../horizontal-pod-autoscaler/defaults.ts'
import { metricFromVersion1, metricToVersion1, statusFromVersion1, statusToVersion1 } from './metric-form.ts'

export const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics'
const currentMetricsAnnotation = 'autoscaling.alpha.kubernetes.io/current-metrics'
const conditionsAnnotation = 'autoscaling.alpha.kubernetes.io/conditions'
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior'
const ownAnnotations = new Set([
  metricsAnnotation,
  currentMetricsAnnotation,
  conditionsAnnotation,
  behaviorAnnotation,
  'autoscaling.alpha.kubernetes.io/scale-down-tolerance',
  'autoscaling.alpha.kubernetes.io/scale-up-tolerance',
])

type Metric = NonNullable<NonNullable<HorizontalPodAutoscaler['spec']>['metrics']>[number]

const isCpuUtilization = ({ type, resource }: Metric) =>
  type === 'Resource' && resource?.name === 'cpu' && resource.target?.averageUtilization !== undefined

export function fromVersion2(stored: KubernetesObject): HorizontalPodAutoscalerV1 {
  const { metadata, spec, status } = stored as HorizontalPodAutoscaler
  const metrics = spec?.metrics ?? []
  const others = metrics.filter((metric) => !isCpuUtilization(metric))
  const cpu = metrics.find(isCpuUtilization)?.resource?.target?.averageUtilization
  const currentCpu = status?.currentMetrics?.findLast(({ type, resource }) => type === 'Resource' && resource?.name === 'cpu')?.resource
  const added = {
    ...(others.length > 0 && { [metricsAnnotation]: JSON.stringify(others.map(metricToVersion1)) }),
    ...((status?.currentMetrics ?? []).length > 0 && {
      [currentMetricsAnnotation]: JSON.stringify(status!.currentMetrics!.map(statusToVersion1)),
    }),
    ...(spec?.behavior !== undefined && { [behaviorAnnotation]: JSON.stringify(behaviorWithGoNames(spec.behavior)) }),
    ...((status?.conditions ?? []).length > 0 && { [conditionsAnnotation]: JSON.stringify(status!.conditions) }),
  }
  const { scaleTargetRef, minReplicas, maxReplicas } = spec ?? {}
  const { observedGeneration, lastScaleTime, currentReplicas = 0, desiredReplicas = 0 } = status ?? {}
  const averageUtilization = currentCpu?.current?.averageUtilization
  return {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(metadata, added),
    spec: {
      scaleTargetRef: scaleTargetRef!,
      ...(minReplicas !== undefined && { minReplicas }),
      maxReplicas: maxReplicas!,
      ...(cpu !== undefined && { targetCPUUtilizationPercentage: cpu }),
    },
    status: {
      ...(observedGeneration !== undefined && { observedGeneration }),
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      currentReplicas,
      desiredReplicas,
      ...(averageUtilization !== undefined && { currentCPUUtilizationPercentage: averageUtilization }),
    },
  } as HorizontalPodAutoscalerV1
}

export function toVersion2(autoscaler: HorizontalPodAutoscalerV1): HorizontalPodAutoscaler {
  const { metadata, spec, status } = autoscaler
  const annotations = metadata?.annotations ?? {}
  const read = (name: string) => parse(annotations[name])
  const listed = read(metricsAnnotation)
  const cpu = spec?.targetCPUUtilizationPercentage
  const metrics = [...(Array.isArray(listed) ? listed.map(metricFromVersion1) : []), ...(cpu === undefined ? [] : [cpuMetric(cpu)])]
  const behavior = read(behaviorAnnotation)
  const current = read(currentMetricsAnnotation)
  const conditions = read(conditionsAnnotation)
  const { scaleTargetRef, minReplicas, maxReplicas } = spec ?? {}
  const { observedGeneration, lastScaleTime, currentReplicas = 0, desiredReplicas = 0, currentCPUUtilizationPercentage } = status ?? {}
  const currentCpu = {
    type: 'Resource',
    resource: { name: 'cpu', current: { averageUtilization: currentCPUUtilizationPercentage } },
  }
  const currentMetrics = Array.isArray(current)
    ? current.map(statusFromVersion1)
    : currentCPUUtilizationPercentage === undefined
      ? null
      : [currentCpu]
  return {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(metadata, {}),
    spec: {
      scaleTargetRef: scaleTargetRef!,
      ...(minReplicas !== undefined && { minReplicas }),
      maxReplicas: maxReplicas!,
      metrics: metrics.length > 0 ? metrics : [cpuMetric(defaultCpuUtilization)],
      ...(isJsonObject(behavior) && Object.keys(behavior).length > 0 && { behavior: behaviorWithJsonNames(behavior) }),
    },
    status: {
      ...(observedGeneration !== undefined && { observedGeneration }),
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      ...(currentReplicas !== 0 && { currentReplicas }),
      desiredReplicas,
      currentMetrics,
      ...(Array.isArray(conditions) && { conditions }),
    },
  } as HorizontalPodAutoscaler
}

function parse(json: string | undefined): unknown {
  if (json === undefined) return undefined
  try {
    return JSON.parse(json) as unknown
  } catch {
    // As Kubernetes does: an annotation that cannot be read is ignored.
    return undefined
  }
}

/** Replaces the annotations that carry fields of version 2 by `added`. */
function withAnnotations(metadata: KubernetesObject['metadata'], added: Readonly<Record<string, string>>): KubernetesObject['metadata'] {
  const own = Object.entries(metadata?.annotations ?? {})
  if (Object.keys(added).length === 0 && !own.some(([name]) => ownAnnotations.has(name))) return metadata
  const kept = Object.fromEntries(own.filter(([name]) => !ownAnnotations.has(name)))
  return { ...metadata, annotations: sortKeys({ ...kept, ...added }) }
}

type Behavior = NonNullable<NonNullable<HorizontalPodAutoscaler['spec']>['behavior']>

/** Kubernetes writes its internal type into the annotation: all Go fields, under their names. */
const behaviorWithGoNames = ({ scaleUp, scaleDown }: Behavior): unknown => ({
  ScaleUp: rulesInGo(scaleUp),
  ScaleDown: rulesInGo(scaleDown),
})

function rulesInGo(rules: Behavior['scaleUp']): unknown {
  if (rules === undefined) return null
  const { stabilizationWindowSeconds, selectPolicy, policies, tolerance } = rules
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies: policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ?? null,
    Tolerance: tolerance ?? null,
  }
}

/** Go reads field names in any case. */
function behaviorWithJsonNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(behaviorWithJsonNames)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([name, one]) => [`${name.slice(0, 1).toLowerCase()}${name.slice(1)}`, behaviorWithJsonNames(one)]),
  )
}

// The HorizontalPodAutoscaler controller: every 15 seconds it compares the metrics of the target's pods with the values in the spec,
// and scales the target.
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.reconcileKey, HorizontalController.scaleForResourceMappings
// Kubernetes: pkg/controller/podautoscaler.HorizontalController.updateStatusIfNeeded

import { simulateUsage, type Usage, type UsageSource } from '../../api/kinds/metrics/simulated-usage.ts'
import { kinds as builtInKinds, horizontalPodAutoscalers, pods as podKind, services as serviceKind } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KindSource } from '../../api/machinery/kind-set.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { HorizontalPodAutoscaler, Pod, Stored } from '../../api/types.ts'
import { messageOf } from '../../base/error-message.ts'
import { type LabelRequirements, matchesLabels, parseSelector } from '../../base/label-selector.ts'
import type { Client, ObjectRef } from '../../client/client.ts'
import { buildController } from '../../runtime/controller.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { changedStatus, failedRescale, failedStatus, planAutoscaling } from './plan/autoscale.ts'
import type { PodMetric, PodMetrics } from './plan/replica-count.ts'
import { emptyHistory, type ScalingHistory } from './plan/scaling-limits.ts'

type CrossReference = NonNullable<HorizontalPodAutoscaler['spec']>['scaleTargetRef']

const workers = 5
/** The server has checked the names and values. */
const labelRules = { key: () => [], value: () => [] }
const syncPeriodMs = 15_000
const metricsWindowMs = 15_000

interface AutoscalerParts extends RecordingControllerParts {
  /** The kinds that the server has. Default: the built-in ones. */
  readonly kinds?: Pick<KindSource, 'current'>
  /** Consulted before the annotations of pods and Services. */
  readonly usage?: UsageSource
}

export const horizontalPodAutoscalerController: ControllerDefinition = {
  name: 'horizontal-pod-autoscaler',
  start: startHorizontalPodAutoscalerController,
}

export function startHorizontalPodAutoscalerController(options: AutoscalerParts): RunningController {
  const { clock, informers, recorder } = options
  const pods = informers.get(podKind)
  const services = informers.get(serviceKind)
  const autoscalers = informers.get(horizontalPodAutoscalers)
  const histories = new Map<string, ScalingHistory>()
  /** By key of the autoscaler: what its target selected at the last sync. */
  const selectors = new Map<string, LabelRequirements>()
  const autoscalersOf = (namespace: string, selected: readonly Stored<Pod>[]) => {
    // Pods of one set share their labels.
    const labels = [...new Set(selected.map(({ metadata }) => metadata.labels))]
    return autoscalers
      .byIndex('namespace', namespace)
      .filter((one) => {
        const selector = selectors.get(keyOf(one))
        return selector !== undefined && labels.some((own) => matchesLabels(selector, own))
      })
      .map(({ metadata }) => metadata.name)
  }
  return buildController(options, {
    name: 'horizontalpodautoscaler',
    for: horizontalPodAutoscalers,
    workers,
    reads: [pods, services],
    // The controller's own writes of the status need no sync: the next one follows after the period.
    delayOf: (current, previous) => (previous === undefined || current.spec !== previous.spec ? 0 : undefined),
    async reconcile(autoscaler, { client, key }) {
      const { namespace = '' } = autoscaler.metadata
      const { scaleTargetRef } = autoscaler.spec!
      const ref = { namespace, name: scaleTargetRef.name }
      let target: Target
      try {
        target = await readTarget(client, options.kinds?.current() ?? builtInKinds, scaleTargetRef, ref)
      } catch (error) {
        const message = messageOf(error)
        recorder.record(autoscaler, 'Warning', 'FailedGetScale', message)
        const status = changedStatus(autoscaler, failedStatus(autoscaler, message, clock.now()))
        if (status !== undefined) await client.updateStatus(horizontalPodAutoscalers, { ...autoscaler, status })
        return { requeueAfterMs: syncPeriodMs }
      }
      const { requirements, problem: selectorProblem } = readSelector(target.selector)
      if (requirements !== undefined) selectors.set(key, requirements)
      const selected =
        requirements === undefined
          ? []
          : pods.byIndex('namespace', namespace).filter(({ metadata }) => matchesLabels(requirements, metadata.labels))
      const nowMs = clock.now()
      const usages =
        options.usage?.({ kind: target.kind.kind, ...ref }, selected) ?? simulateUsage(selected, services.byIndex('namespace', namespace))
      const plan = planAutoscaling({
        autoscaler,
        currentReplicas: target.replicas,
        pods: selected,
        selector: target.selector,
        selectorProblem,
        selectedBy: autoscalersOf(namespace, selected),
        usageOf: (resource, container) => metricsOf(selected, usages, resource, container, nowMs),
        history: histories.get(key) ?? emptyHistory,
        nowMs,
      })
      const problem = plan.scaleTo === undefined ? undefined : await applyScale(client, target.kind, ref, plan.scaleTo)
      const { status: next, events } = problem === undefined ? plan : failedRescale(autoscaler, plan, problem, nowMs)
      if (problem === undefined) histories.set(key, plan.history)
      for (const { type, reason, message } of events) recorder.record(autoscaler, type, reason, message)
      const status = changedStatus(autoscaler, next)
      if (status !== undefined) await client.updateStatus(horizontalPodAutoscalers, { ...autoscaler, status })
      return { requeueAfterMs: syncPeriodMs }
    },
    state: [histories, selectors],
  })
}

interface Target {
  readonly kind: Kind
  readonly replicas: number
  readonly selector: string
}

/** Custom resources may have any text as their selector. */
function readSelector(text: string): { readonly requirements?: LabelRequirements; readonly problem?: string } {
  if (text === '') return {}
  try {
    return { requirements: parseSelector(text, labelRules) }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

/** Resolves to the reason why the server refused it; undefined when the target was scaled. */
async function applyScale(client: Client, kind: Kind, ref: ObjectRef, replicas: number): Promise<string | undefined> {
  try {
    await client.patch(kind, ref, 'merge', { spec: { replicas } }, { subresource: 'scale' })
    return undefined
  } catch (error) {
    if (!isStatusError(error)) throw error
    return messageOf(error)
  }
}

/** As in Kubernetes, the version of the reference is not considered. */
async function readTarget(
  client: Client,
  kinds: readonly Kind[],
  { apiVersion, kind: name }: CrossReference,
  ref: ObjectRef,
): Promise<Target> {
  const group = apiVersion?.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  const candidates = kinds.filter((one) => one.kind === name && one.group === group)
  if (candidates.length === 0) throw new Error(`no matches for kind "${name}" in group "${group}"`)
  const kind = candidates.find(({ scale }) => scale !== undefined)
  const access = kind?.scale
  if (kind === undefined || access === undefined) throw new Error('the server could not find the requested resource')
  const object = await client.get(kind, ref)
  return { kind, replicas: access.replicas(object), selector: access.selector(object) }
}

/** The usage of one resource by pod, of all its containers or of one. */
function metricsOf(
  pods: readonly Stored<Pod>[],
  usages: ReadonlyMap<string, Usage>,
  resource: string,
  container: string | undefined,
  nowMs: number,
): PodMetrics {
  const metrics = new Map<string, PodMetric>()
  for (const { metadata, spec } of pods) {
    const value = usages.get(metadata.name)?.get(resource)
    if (value === undefined) continue
    const share = container === undefined ? 1 : spec!.containers.length
    metrics.set(metadata.name, { value: value / share, timestampMs: nowMs, windowMs: metricsWindowMs })
  }
  return metrics
}

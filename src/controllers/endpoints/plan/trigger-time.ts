// When the change happened that the endpoints of a Service are updated for. Clients measure with it how long an update took.
// Kubernetes: k8s.io/endpointslice/util.TriggerTimeTracker.ComputeEndpointLastChangeTriggerTime, getPodTriggerTime
// Kubernetes: k8s.io/endpointslice/util.getServiceTriggerTime
// Kubernetes: k8s.io/endpointslice.addTriggerTimeAnnotation
import type { Pod, Service, Stored } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'

export const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time'

/** The times that the last sync of a Service read. */
export interface TriggerState {
  readonly serviceMs: number
  /** By name of the pod: when its readiness last changed. */
  readonly podMs: ReadonlyMap<string, number>
}

/** The time is undefined when no time has changed since the last sync: the pods have changed in another way. */
export function planTriggerTime(
  last: TriggerState | undefined,
  service: Stored<Service>,
  pods: readonly Stored<Pod>[],
): { readonly state: TriggerState; readonly time: string | undefined } {
  const serviceMs = parseTime(service.metadata.creationTimestamp!)
  const podMs = new Map<string, number>()
  let earliestMs = last === undefined || serviceMs > last.serviceMs ? serviceMs : Number.POSITIVE_INFINITY
  for (const { metadata, status } of pods) {
    const changedAt = status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime
    if (!changedAt) continue
    const atMs = parseTime(changedAt)
    podMs.set(metadata.name, atMs)
    // The first sync reports the creation of the Service, whatever its pods did before.
    if (last !== undefined && atMs > (last.podMs.get(metadata.name) ?? Number.NEGATIVE_INFINITY)) earliestMs = Math.min(earliestMs, atMs)
  }
  return { state: { serviceMs, podMs }, time: Number.isFinite(earliestMs) ? formatTime(earliestMs) : undefined }
}

/** The annotations of an object that is written because of this change. */
export function withTriggerTime(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Readonly<Record<string, string>> | undefined {
  if (time !== undefined) return { ...annotations, [triggerTimeAnnotation]: time }
  if (annotations?.[triggerTimeAnnotation] === undefined) return annotations
  const { [triggerTimeAnnotation]: _, ...others } = annotations
  return others
}

// Fields of pod specs that no feature gate of Rollcall enables.
// Kubernetes: pkg/api/pod.DropDisabledPodFields, DropDisabledTemplateFields, dropDisabledFields
import type { Deployment, PodSpec, Writable } from '../../../types.ts'

type Template = NonNullable<Writable<Deployment>['spec']>['template']

interface LifecycleOwner {
  lifecycle?: { stopSignal?: string; postStart?: unknown; preStop?: unknown }
}

/** Drops stop signals: the feature is off by default in Kubernetes v1.37, and Rollcall does not implement it. */
export function dropDisabledPodFields(next: Writable<PodSpec> | undefined, current?: PodSpec): void {
  if (!hasDisabledFields(next) || hasDisabledFields(current)) return
  for (const list of containerLists(next)) for (const container of list ?? []) dropStopSignal(container as LifecycleOwner)
}

export function dropDisabledTemplateFields(next: Template | undefined, current?: { readonly spec?: PodSpec }): void {
  dropDisabledPodFields(next?.spec, current?.spec)
}

const containerLists = (spec: PodSpec | undefined) => [spec?.initContainers, spec?.containers, spec?.ephemeralContainers]

/** Whether the spec uses disabled fields. */
export const hasDisabledFields = (spec: PodSpec | undefined): boolean =>
  containerLists(spec).some((list) => list?.some((one) => (one as LifecycleOwner).lifecycle?.stopSignal !== undefined))

function dropStopSignal(container: LifecycleOwner): void {
  if (container.lifecycle?.stopSignal === undefined) return
  delete container.lifecycle.stopSignal
  if (container.lifecycle.postStart === undefined && container.lifecycle.preStop === undefined) delete container.lifecycle
}

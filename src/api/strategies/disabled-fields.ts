// Fields whose feature is off: dropped, unless the stored object has them already.
import type { FeatureGates } from '../machinery/feature-gates.ts'
import type { Deployment, PodSpec, Writable } from '../types.ts'

type Template = NonNullable<Writable<Deployment>['spec']>['template']

/** Takes `name` out of `next` while the gate is off and `current` has no such field. */
export function dropUnless(on: boolean, next: object | undefined, current: object | undefined, name: string): void {
  if (on || next === undefined) return
  const stored = current === undefined ? undefined : (current as Record<string, unknown>)[name]
  if (stored === undefined || stored === null) delete (next as Record<string, unknown>)[name]
}

/** KEP-2804's fields of a spec. */
export function dropConditionFields({ ExtendedWorkloadConditions: on }: FeatureGates, next: object | undefined, current?: object): void {
  dropUnless(on, next, current, 'operationalThreshold')
}

/** The deadline of a StatefulSet or DaemonSet, which no Kubernetes has. */
export function dropDeadline({ ExtendedWorkloadConditions: on }: FeatureGates, next: object | undefined, current?: object): void {
  dropUnless(on, next, current, 'progressDeadlineSeconds')
}

interface LifecycleOwner {
  lifecycle?: { stopSignal?: string; postStart?: unknown; preStop?: unknown }
}

/** Stop signals are off in Kubernetes v1.36 unless it is told otherwise, and Rollcall does not have them. */
export function dropDisabledPodFields(next: Writable<PodSpec> | undefined, current?: PodSpec): void {
  if (!hasDisabledFields(next) || hasDisabledFields(current)) return
  for (const list of containerLists(next)) for (const container of list ?? []) dropStopSignal(container as unknown as LifecycleOwner)
}

export function dropDisabledTemplateFields(next: Template | undefined, current?: { readonly spec?: PodSpec }): void {
  dropDisabledPodFields(next?.spec, current?.spec)
}

const containerLists = (spec: PodSpec | undefined) => [spec?.initContainers, spec?.containers, spec?.ephemeralContainers]

/** Whether the spec uses what is off. */
export const hasDisabledFields = (spec: PodSpec | undefined): boolean =>
  containerLists(spec).some((list) => list?.some((one) => (one as LifecycleOwner).lifecycle?.stopSignal !== undefined))

function dropStopSignal(container: LifecycleOwner): void {
  if (container.lifecycle?.stopSignal === undefined) return
  delete container.lifecycle.stopSignal
  if (container.lifecycle.postStart === undefined && container.lifecycle.preStop === undefined) delete container.lifecycle
}

// Fields whose feature is off: dropped, unless the stored object has them already.
import type { FeatureGates } from '../feature-gates.ts'
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

interface ProjectionOwner {
  projected?: { sources?: { clusterTrustBundle?: unknown; podCertificate?: unknown }[] | null }
}

/** Features that are off in Kubernetes v1.36 unless it is told otherwise, and that Rollcall does not have. */
export function dropDisabledPodFields(next: Writable<PodSpec> | undefined, current?: PodSpec): void {
  if (next === undefined) return
  dropUnless(false, next, current, 'schedulingGroup')
  const containers = allContainers(next)
  if (containers.some((one) => one.lifecycle?.stopSignal !== undefined) && !allContainers(current).some((one) => one.lifecycle?.stopSignal))
    for (const container of containers) dropStopSignal(container)
  for (const name of ['clusterTrustBundle', 'podCertificate'] as const)
    if (!projections(current).some((source) => source[name] !== undefined)) for (const source of projections(next)) delete source[name]
}

export function dropDisabledTemplateFields(next: Template | undefined, current?: { readonly spec?: PodSpec }): void {
  dropDisabledPodFields(next?.spec, current?.spec)
}

function dropStopSignal(container: LifecycleOwner): void {
  if (container.lifecycle?.stopSignal === undefined) return
  delete container.lifecycle.stopSignal
  if (container.lifecycle.postStart === undefined && container.lifecycle.preStop === undefined) delete container.lifecycle
}

function allContainers(spec: PodSpec | undefined): LifecycleOwner[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])] as unknown as LifecycleOwner[]
}

function projections(spec: PodSpec | undefined): NonNullable<NonNullable<ProjectionOwner['projected']>['sources']> {
  if (!spec?.volumes) return []
  return (spec.volumes as unknown as ProjectionOwner[]).flatMap((volume) => volume.projected?.sources ?? [])
}

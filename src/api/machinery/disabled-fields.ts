// Fields behind a feature gate that is off: dropped, unless the stored object already has them.
// Ours: what the functions named dropDisabledFields have in common.
import type { FeatureGates } from './feature-gates.ts'

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

/** The deadline of a StatefulSet or DaemonSet, which Kubernetes does not have. */
export function dropDeadline({ ExtendedWorkloadConditions: on }: FeatureGates, next: object | undefined, current?: object): void {
  dropUnless(on, next, current, 'progressDeadlineSeconds')
}

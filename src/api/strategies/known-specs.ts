// What was found out about the spec of a pod. Pods of one template hold one spec, which is the same value for all of them:
// it need not be looked at for each. No part of an object changes once it is validated.
import { hasSameLabels, type Labels } from '../../base/label-selector.ts'
import type { FeatureGates } from '../feature-gates.ts'
import type { Pod, PodSpec } from '../types.ts'

export class KnownSpecs<T> {
  readonly #found = new WeakMap<
    PodSpec,
    { readonly annotations: Labels | undefined; readonly gates: FeatureGates | undefined; readonly what: T }
  >()

  /** What `find` says of the pod, or said of one with this spec and equal annotations, if it `isKept`. */
  of({ spec, metadata }: Pod, gates: FeatureGates | undefined, find: () => T, isKept: (what: T) => boolean = () => true): T {
    if (spec === undefined) return find()
    const annotations = metadata?.annotations
    const found = this.#found.get(spec)
    if (found !== undefined && found.gates === gates && hasSameLabels(found.annotations, annotations)) return found.what
    const what = find()
    if (!hasNamesOfItsOwn(spec) && isKept(what)) this.#found.set(spec, { annotations, gates, what })
    return what
  }
}

/** Claims that are called after the pod: what holds for one need not hold for the next. */
function hasNamesOfItsOwn({ volumes, resourceClaims }: PodSpec): boolean {
  return resourceClaims !== undefined || (volumes?.some(({ ephemeral }) => ephemeral) ?? false)
}

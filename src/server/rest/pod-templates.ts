// What became of the first pod that was made of each template.
import type { ObjectMeta, Pod, PodSpec } from '../../api/types.ts'
import type { PodRules } from './pod-moulds.ts'

export interface FirstOfTemplate {
  /** As it was given. */
  readonly given: ObjectMeta
  readonly rules: PodRules
  /** As it is stored. */
  readonly pod: Pod
}

/** By the spec of the template, which is the very same object for all of its pods. */
export type PodTemplates = WeakMap<PodSpec, FirstOfTemplate>

// The fields of the proposals as annotations, for API servers that drop fields they do not know. If both are set, the field
// wins. An invalid value is ignored and reported as an Event.
// Ours: the annotations are those of the proposals.
import type { IntOrString, KubernetesObject } from '../../../api/types.ts'
import { readDurationMs } from '../../../base/duration.ts'
import { parsePercent } from '../../../base/int-or-percent.ts'

export const podReplacementPolicyAnnotation = 'rollcall.dev/pod-replacement-policy'
export const terminatingAsActiveAnnotation = 'rollcall.dev/terminating-as-active'
const operationalThresholdAnnotation = 'rollcall.dev/operational-threshold'
export const progressDeadlineSecondsAnnotation = 'rollcall.dev/progress-deadline-seconds'
/** Has no field: how long after the end of its grace period a terminating pod still holds room. */
const stuckTerminationTimeoutAnnotation = 'rollcall.dev/stuck-termination-timeout'

/** A Deployment copies these to its ReplicaSets, because `kubectl rollout undo` copies the annotations of a ReplicaSet back. */
export const settingAnnotations: readonly string[] = [
  podReplacementPolicyAnnotation,
  terminatingAsActiveAnnotation,
  operationalThresholdAnnotation,
  progressDeadlineSecondsAnnotation,
  stuckTerminationTimeoutAnnotation,
]

/** The reason of Events about invalid values. */
export const invalidAnnotationReason = 'InvalidAnnotation'

export interface FieldOrAnnotation<T> {
  readonly value?: T
  /** Why the annotation is invalid. */
  readonly problem?: string
}

const nothing: FieldOrAnnotation<never> = {}

/** `parse` returns undefined for an invalid value. */
export function fieldOrAnnotation<T>(
  field: T | undefined,
  object: KubernetesObject,
  annotation: string,
  expected: string,
  parse: (text: string) => T | undefined,
): FieldOrAnnotation<T> {
  if (field !== undefined) return { value: field }
  const annotations = object.metadata?.annotations
  if (annotations === undefined || !Object.hasOwn(annotations, annotation)) return nothing
  const text = annotations[annotation] ?? ''
  const value = parse(text)
  if (value !== undefined) return { value }
  return { problem: `Cannot read annotation "${annotation}": must be ${expected}, got ${JSON.stringify(text)}` }
}

interface TerminatingAsActiveOwner extends KubernetesObject {
  readonly spec?: { readonly terminatingAsActive?: boolean }
}

export function terminatingAsActiveOf(object: TerminatingAsActiveOwner): FieldOrAnnotation<boolean> {
  return fieldOrAnnotation(object.spec?.terminatingAsActive, object, terminatingAsActiveAnnotation, 'true or false', (text) =>
    text === 'true' ? true : text === 'false' ? false : undefined,
  )
}

/** In milliseconds. */
export function stuckTerminationTimeoutOf(object: KubernetesObject): FieldOrAnnotation<number> {
  return fieldOrAnnotation(undefined, object, stuckTerminationTimeoutAnnotation, 'a duration like 90s, 10m or 1h30m', readDurationMs)
}

interface ThresholdOwner extends KubernetesObject {
  readonly spec?: { readonly operationalThreshold?: IntOrString }
}

export function operationalThresholdOf(object: ThresholdOwner): FieldOrAnnotation<IntOrString> {
  return fieldOrAnnotation(
    object.spec?.operationalThreshold,
    object,
    operationalThresholdAnnotation,
    'a number or a percentage of at most 100%',
    parseThreshold,
  )
}

function parseThreshold(text: string): IntOrString | undefined {
  if (/^[0-9]{1,10}$/.test(text)) return Number(text) <= 0x7fffffff ? Number(text) : undefined
  const percent = parsePercent(text)
  return percent !== undefined && percent <= 100 ? text : undefined
}

// What the validations of workloads share: numbers that may be percentages, selectors and the templates they must
// match, and the counters of a status.
import { matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import type { PodValidationOptions } from '../kinds/core/pod/validation/options.ts'
import { validatePodTemplateSpec } from '../kinds/core/pod/validation.ts'
import { type FieldError, forbidden, invalid, notSupported, required } from '../machinery/field-error.ts'
import { isEqualOptional } from '../machinery/schema/equality.ts'
import { mapValue, typed } from '../machinery/shown-value.ts'
import { immutableMessage, validateLabelSelector } from '../machinery/validation/metadata.ts'
import { isValidPercent, notNegativeMessage } from '../machinery/validation/names.ts'
import { shownSelector } from '../machinery/validation/shown-struct.ts'
import type { Deployment, IntOrString, LabelSelector } from '../types.ts'

/** A template as it stands in a workload's spec. */
export type Template = NonNullable<Deployment['spec']>['template']

export function addNegative(errors: FieldError[], value: number | undefined, path: string): void {
  if (value !== undefined && value < 0) errors.push(invalid(path, value, notNegativeMessage))
}

/** The percentage that a text names, or undefined. */
function percentOf(value: IntOrString): number | undefined {
  return typeof value === 'string' && isValidPercent(value).length === 0 ? Number(value.slice(0, -1)) : undefined
}

/** The number before the percent sign, or the number; nothing that can be read is 0. */
export function plainNumber(value: IntOrString | undefined): number {
  if (value === undefined) return 0
  if (typeof value === 'number') return value
  return percentOf(value) ?? (/^[+-]?[0-9]+$/.test(value) ? Number(value) : 0)
}

const shownIntOrString = (value: IntOrString) => (typeof value === 'string' ? typed(value) : value)

/** A number that is not negative, or a percentage. */
export function addIntOrPercentErrors(errors: FieldError[], value: IntOrString | undefined, path: string): void {
  if (typeof value === 'number') addNegative(errors, value, path)
  else if (value !== undefined) for (const message of isValidPercent(value)) errors.push(invalid(path, typed(value), message))
}

export function addOver100Percent(errors: FieldError[], value: IntOrString | undefined, path: string): void {
  if (value !== undefined && (percentOf(value) ?? 0) > 100)
    errors.push(invalid(path, shownIntOrString(value), 'must not be greater than 100%'))
}

export const shownNumber = (value: IntOrString | undefined): unknown => (value === undefined ? 0 : shownIntOrString(value))

/** KEP-2804: how many replicas, or what share of them, may be missing. */
export function addThresholdErrors(errors: FieldError[], value: IntOrString | undefined, path: string): void {
  addIntOrPercentErrors(errors, value, path)
  addOver100Percent(errors, value, path)
}

/** A rollout that must finish in less time than a pod needs to be available can never succeed. */
export function addDeadlineErrors(errors: FieldError[], deadlineSeconds: number | undefined, minReadySeconds: number, path: string): void {
  if (deadlineSeconds === undefined) return
  addNegative(errors, deadlineSeconds, path)
  if (deadlineSeconds <= minReadySeconds) errors.push(invalid(path, deadlineSeconds, 'must be greater than minReadySeconds'))
}

/** Whether the labels match: nothing matches no selector. Undefined for a selector that cannot be read. */
export function isSelected(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>> | undefined): boolean | undefined {
  if (!selector) return false
  if (validateLabelSelector(selector, '').length > 0) return undefined
  return matchesLabels(selectorRequirements(selector) ?? [], labels)
}

export const isEmptySelector = (selector: LabelSelector): boolean =>
  Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions?.length ?? 0) === 0

export const unmatchedTemplate = (template: Template | undefined, path: string): FieldError =>
  invalid(`${path}.metadata.labels`, mapValue(template?.metadata?.labels), '`selector` does not match template `labels`')

/** The selector of a Deployment, a ReplicaSet or a StatefulSet: there, readable, not empty. `kind` is what Kubernetes calls it. */
export function addRequiredSelectorErrors(errors: FieldError[], selector: LabelSelector | undefined, kind: string, path: string): void {
  if (!selector) errors.push(required(path, ''))
  else {
    errors.push(...validateLabelSelector(selector, path))
    if (isEmptySelector(selector)) errors.push(invalid(path, shownSelector(selector), `empty selector is invalid for ${kind}`))
  }
}

/** Workloads that run for ever restart their containers for ever, and know no deadline. */
export function addEndlessTemplateErrors(errors: FieldError[], template: Template | undefined, kind: string, path: string): void {
  const restartPolicy = template?.spec?.restartPolicy
  if (restartPolicy !== 'Always') errors.push(notSupported(`${path}.spec.restartPolicy`, typed(restartPolicy), ['Always']))
  if (template?.spec?.activeDeadlineSeconds !== undefined)
    errors.push(forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`))
}

/** The template of a Deployment or a ReplicaSet. */
export function addReplicaTemplateErrors(
  errors: FieldError[],
  spec: { readonly selector?: LabelSelector; readonly template?: Template } | undefined,
  path: string,
  options: PodValidationOptions,
): void {
  const selector = spec?.selector
  const template = spec?.template
  const selected = isSelected(selector, template?.metadata?.labels)
  if (selected === undefined) {
    errors.push(invalid(`${path}.selector`, shownSelector(selector), 'invalid label selector'))
    return
  }
  if (!selected) errors.push(unmatchedTemplate(template, `${path}.template`))
  errors.push(...validatePodTemplateSpec(template ?? {}, `${path}.template`, options))
  addEndlessTemplateErrors(errors, template, 'ReplicaSet', `${path}.template`)
}

export function addSelectorChange(
  errors: FieldError[],
  next: LabelSelector | undefined,
  current: LabelSelector | undefined,
  path: string,
): void {
  if (!isEqualOptional('meta.LabelSelector', next, current)) errors.push(invalid(path, shownSelector(next), immutableMessage))
}

/** A counter in a status that may only grow. */
export function addDecrease(errors: FieldError[], next: number | undefined, current: number | undefined, path: string): void {
  if (current !== undefined && (next === undefined || next < current)) errors.push(invalid(path, next ?? 0, 'cannot be decremented'))
}

/** Counters in a status: none is negative. */
export function addNegatives<K extends string>(
  errors: FieldError[],
  status: { readonly [key in K]?: number | undefined },
  fields: readonly K[],
  path = 'status',
): void {
  for (const field of fields) addNegative(errors, status[field], `${path}.${field}`)
}

/** Counters in a status: each is a part of `whole`. */
export function addLargerThan<K extends string>(
  errors: FieldError[],
  status: { readonly [key in K]?: number | undefined },
  fields: readonly K[],
  whole: number | undefined,
  message: string,
): void {
  for (const field of fields) {
    const value = status[field] ?? 0
    if (value > (whole ?? 0)) errors.push(invalid(`status.${field}`, value, message))
  }
}

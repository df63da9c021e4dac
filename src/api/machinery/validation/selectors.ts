// Label selectors of workloads.
// Kubernetes: k8s.io/apimachinery/pkg/apis/meta/v1/validation.ValidateLabelSelector, ValidateLabelSelectorRequirement
// Kubernetes: k8s.io/apimachinery/pkg/apis/meta/v1/validation.LabelSelectorHasInvalidLabelValue
import { matchesLabels, selectorRequirements } from '../../../base/label-selector.ts'
import { type FieldError, invalid, required } from '../field-error.ts'
import { isEqualOptional } from '../schema/equality.ts'
import type { LabelSelector } from '../types.ts'
import { immutableMessage, validateLabelSelector } from './metadata.ts'
import { shownSelector } from './shown-struct.ts'

/** Whether the labels match. Without a selector they do not. Undefined for an invalid selector. */
export function isSelected(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>> | undefined): boolean | undefined {
  if (!selector) return false
  if (validateLabelSelector(selector, '').length > 0) return undefined
  return matchesLabels(selectorRequirements(selector) ?? [], labels)
}

export const isEmptySelector = (selector: LabelSelector): boolean =>
  Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions?.length ?? 0) === 0

const path = 'spec.selector'

/** The selector of a Deployment, a ReplicaSet or a StatefulSet is required, and not empty. `kind` is the name of the kind in the message. */
export function addRequiredSelectorErrors(errors: FieldError[], selector: LabelSelector | undefined, kind: string): void {
  if (!selector) errors.push(required(path, ''))
  else {
    errors.push(...validateLabelSelector(selector, path))
    if (isEmptySelector(selector)) errors.push(invalid(path, shownSelector(selector), `empty selector is invalid for ${kind}`))
  }
}

export function addSelectorChange(errors: FieldError[], next: LabelSelector | undefined, current: LabelSelector | undefined): void {
  if (!isEqualOptional('meta.LabelSelector', next, current)) errors.push(invalid(path, shownSelector(next), immutableMessage))
}

// Kubernetes: pkg/apis/core/validation.ValidatePodTemplateSpecForRC
// Kubernetes: pkg/apis/apps/validation.ValidatePodTemplateSpecForReplicaSet, ValidatePodTemplateSpecForStatefulSet
import { type FieldError, forbidden, invalid, mapValue, notSupported, typed } from '../../../machinery/field-error.ts'
import { isSelected } from '../../../machinery/validation/selectors.ts'
import { shownSelector } from '../../../machinery/validation/shown-struct.ts'
import type { Deployment, LabelSelector } from '../../../types.ts'
import type { PodValidationOptions } from './validation/options.ts'
import { validatePodTemplateSpec } from './validation.ts'

/** The pod template in the spec of a workload. */
export type Template = NonNullable<Deployment['spec']>['template']

export const unmatchedTemplate = (template: Template | undefined, path: string): FieldError =>
  invalid(`${path}.metadata.labels`, mapValue(template?.metadata?.labels), '`selector` does not match template `labels`')

/** Workloads that do not complete always restart their containers, and have no deadline. */
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
  options: PodValidationOptions,
): void {
  const selector = spec?.selector
  const template = spec?.template
  const selected = isSelected(selector, template?.metadata?.labels)
  if (selected === undefined) {
    errors.push(invalid('spec.selector', shownSelector(selector), 'invalid label selector'))
    return
  }
  if (!selected) errors.push(unmatchedTemplate(template, 'spec.template'))
  errors.push(...validatePodTemplateSpec(template ?? {}, 'spec.template', options))
  addEndlessTemplateErrors(errors, template, 'ReplicaSet', 'spec.template')
}

// ReplicationControllers: like ReplicaSets, but with a plain map as selector.
// Kubernetes: pkg/apis/core/validation.ValidateReplicationController, ValidateReplicationControllerUpdate
// Kubernetes: pkg/apis/core/validation.ValidateReplicationControllerStatusUpdate, ValidateReplicationControllerStatus
// Kubernetes: pkg/apis/core/validation.ValidateReplicationControllerSpec
import { type FieldError, required } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import { addLargerThan, addNegative, addNegatives, addThresholdErrors } from '../../../machinery/validation/counts.ts'
import type { ReplicationController } from '../../../types.ts'
import { addEndlessTemplateErrors, unmatchedTemplate } from '../pod/template-validation.ts'
import { type PodValidationOptions, podValidationOptions } from '../pod/validation/options.ts'
import { validatePodTemplateSpec } from '../pod/validation.ts'

export function validateReplicationController(controller: ReplicationController, { gates }: StrategyContext): FieldError[] {
  return validateSpec(controller.spec, podValidationOptions(gates))
}

export function validateReplicationControllerUpdate(
  next: ReplicationController,
  current: ReplicationController,
  { gates }: StrategyContext,
): FieldError[] {
  return validateSpec(next.spec, podValidationOptions(gates, current.spec?.template))
}

function validateSpec(spec: ReplicationController['spec'], options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = []
  const selector = Object.entries(spec?.selector ?? {})
  addNegative(errors, spec?.minReadySeconds, 'spec.minReadySeconds')
  if (selector.length === 0) errors.push(required('spec.selector', ''))
  if (spec?.replicas === undefined) errors.push(required('spec.replicas', ''))
  else addNegative(errors, spec.replicas, 'spec.replicas')
  const template = spec?.template
  if (template === undefined) errors.push(required('spec.template', ''))
  else {
    const labels = template.metadata?.labels ?? {}
    if (!selector.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value))
      errors.push(unmatchedTemplate(template, 'spec.template'))
    errors.push(...validatePodTemplateSpec(template, 'spec.template', options))
    addEndlessTemplateErrors(errors, template, 'ReplicationController', 'spec.template')
  }
  addThresholdErrors(errors, spec?.operationalThreshold)
  return errors
}

export function validateReplicationControllerStatusUpdate(next: ReplicationController): FieldError[] {
  const errors: FieldError[] = []
  const status: Partial<NonNullable<ReplicationController['status']>> = next.status ?? {}
  const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const
  addNegatives(errors, status, ['replicas', ...parts, 'observedGeneration'])
  addLargerThan(errors, status, parts, status.replicas, 'cannot be greater than status.replicas')
  addLargerThan(errors, status, ['availableReplicas'], status.readyReplicas, 'cannot be greater than readyReplicas')
  return errors
}

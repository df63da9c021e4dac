// Kubernetes: pkg/apis/apps/validation.ValidateReplicaSet, ValidateReplicaSetUpdate, ValidateReplicaSetStatusUpdate
// Kubernetes: pkg/apis/apps/validation.ValidateReplicaSetStatus, ValidateReplicaSetSpec
import type { FieldError } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import { addLargerThan, addNegative, addNegatives, addThresholdErrors } from '../../../machinery/validation/counts.ts'
import { addRequiredSelectorErrors, addSelectorChange } from '../../../machinery/validation/selectors.ts'
import type { ReplicaSet } from '../../../types.ts'
import { addReplicaTemplateErrors } from '../../core/pod/template-validation.ts'
import { type PodValidationOptions, podValidationOptions } from '../../core/pod/validation/options.ts'

export function validateReplicaSet(replicaSet: ReplicaSet, { gates }: StrategyContext): FieldError[] {
  return validateSpec(replicaSet.spec, podValidationOptions(gates))
}

export function validateReplicaSetUpdate(next: ReplicaSet, current: ReplicaSet, { gates }: StrategyContext): FieldError[] {
  const errors = validateSpec(next.spec, podValidationOptions(gates, current.spec?.template))
  addSelectorChange(errors, next.spec?.selector, current.spec?.selector)
  return errors
}

function validateSpec(spec: ReplicaSet['spec'], options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = []
  addNegative(errors, spec?.replicas, 'spec.replicas')
  addNegative(errors, spec?.minReadySeconds, 'spec.minReadySeconds')
  // Kubernetes' message has "deployment" here, too.
  addRequiredSelectorErrors(errors, spec?.selector, 'deployment')
  addReplicaTemplateErrors(errors, spec, options)
  addThresholdErrors(errors, spec?.operationalThreshold)
  return errors
}

export function validateReplicaSetStatusUpdate(next: ReplicaSet): FieldError[] {
  const errors: FieldError[] = []
  const status: Partial<NonNullable<ReplicaSet['status']>> = next.status ?? {}
  const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const
  addNegatives(errors, status, ['replicas', ...parts, 'observedGeneration', 'terminatingReplicas'])
  addLargerThan(errors, status, parts, status.replicas, 'cannot be greater than status.replicas')
  addLargerThan(errors, status, ['availableReplicas'], status.readyReplicas, 'cannot be greater than readyReplicas')
  return errors
}

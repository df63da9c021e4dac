// Kubernetes: pkg/printers/internalversion.printReplicationController
// Kubernetes: pkg/registry/core/replicationcontroller.ControllerToSelectableFields
// Kubernetes: pkg/registry/core/replicationcontroller/storage.ScaleREST.*
// Kubernetes: pkg/registry/core/replicationcontroller.rcStrategy.*, rcStatusStrategy.*
// Kubernetes: pkg/apis/core/v1.SetDefaults_ReplicationController
import { formatRequirements, selectorRequirements } from '../../../../base/label-selector.ts'
import { labelsCell } from '../../../machinery/columns/cells.ts'
import { dropConditionFields } from '../../../machinery/disabled-fields.ts'
import { type FieldError, required } from '../../../machinery/field-error.ts'
import { fill } from '../../../machinery/fields.ts'
import { isSpecChanged, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind, StrategyContext } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import { addLargerThan, addNegative, addNegatives, addThresholdErrors } from '../../../machinery/validation/counts.ts'
import type { ReplicationController, Writable } from '../../../types.ts'
import { replicaColumns, replicaWarnings } from '../../apps/replica-set/kind.ts'
import { setReplicas } from '../../autoscaling/scale/access.ts'
import { defaultPodTemplate } from '../pod/defaults.ts'
import { dropDisabledTemplateFields } from '../pod/disabled-fields.ts'
import { addEndlessTemplateErrors, unmatchedTemplate } from '../pod/template-validation.ts'
import { type PodValidationOptions, podValidationOptions } from '../pod/validation/options.ts'
import { validatePodTemplateSpec } from '../pod/validation.ts'

export const replicationControllers: Kind<ReplicationController> = {
  ...resource('core.ReplicationController'),
  strategy: {
    names: 'long-name',
    generation: true,
    generationChanges: isSpecChanged,
    defaultPropagation: 'Orphan',
    default: defaultReplicationController,
    ...ownStatus('core.ReplicationControllerStatus', (next, current, { gates }) => {
      dropConditionFields(gates, next.spec, current?.spec)
      dropDisabledTemplateFields(next.spec?.template, current?.spec?.template)
    }),
    validate: validateReplicationController,
    validateUpdate: validateReplicationControllerUpdate,
    validateStatusUpdate: validateReplicationControllerStatusUpdate,
    warnings: replicaWarnings,
  },
  scale: {
    replicas: ({ spec }) => spec?.replicas ?? 0,
    statusReplicas: ({ status }) => status?.replicas ?? 0,
    selector: ({ spec }) => formatRequirements(selectorRequirements({ matchLabels: spec?.selector ?? {} }) ?? []),
    setReplicas,
  },
  selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  columns: replicaColumns(({ spec }) => labelsCell(spec?.selector)),
  unknownFieldMessage: unsupportedField,
}

function defaultReplicationController(controller: Writable<ReplicationController>): void {
  const labels = controller.spec?.template?.metadata?.labels
  const selector = controller.spec?.selector
  const named = selector !== undefined && Object.keys(selector).length > 0
  const spec = fill('core.ReplicationControllerSpec', controller.spec, {
    replicas: 1,
    ...(!named && labels !== undefined && { selector: { ...labels } }),
  })
  if (spec.template) spec.template = defaultPodTemplate(spec.template)
  controller.spec = spec
  if (labels !== undefined) controller.metadata = fill('meta.ObjectMeta', controller.metadata, { labels: { ...labels } })
}

// ReplicationControllers: like ReplicaSets, but with a plain map as selector.
// Kubernetes: pkg/apis/core/validation.ValidateReplicationController, ValidateReplicationControllerUpdate
// Kubernetes: pkg/apis/core/validation.ValidateReplicationControllerStatusUpdate, ValidateReplicationControllerStatus
// Kubernetes: pkg/apis/core/validation.ValidateReplicationControllerSpec
export function validateReplicationController(controller: ReplicationController, { gates }: StrategyContext): FieldError[] {
  return validateSpec(controller.spec, podValidationOptions(gates))
}

function validateReplicationControllerUpdate(
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

// Kubernetes: pkg/registry/apps/replicaset/storage.NewREST
// Kubernetes: pkg/registry/apps/replicaset.rsStrategy.*, rsStatusStrategy.*
// Kubernetes: pkg/apis/apps/v1.SetDefaults_ReplicaSet
import {
  ageColumn,
  columnsOf,
  containerColumns,
  integer,
  nameColumn,
  selectorCell,
  selectorColumn,
} from '../../../machinery/columns/cells.ts'
import { dropConditionFields, dropUnless } from '../../../machinery/disabled-fields.ts'
import type { FieldError } from '../../../machinery/field-error.ts'
import { fill } from '../../../machinery/fields.ts'
import { isSpecChanged, keepSpec, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind, StrategyContext } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { addLargerThan, addNegative, addNegatives, addThresholdErrors } from '../../../machinery/validation/counts.ts'
import { addRequiredSelectorErrors, addSelectorChange } from '../../../machinery/validation/selectors.ts'
import type { ReplicaSet, ReplicationController, Writable } from '../../../types.ts'
import { selectorScale } from '../../autoscaling/scale/access.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'
import { dropDisabledTemplateFields } from '../../core/pod/disabled-fields.ts'
import { addReplicaTemplateErrors } from '../../core/pod/template-validation.ts'
import { type PodValidationOptions, podValidationOptions } from '../../core/pod/validation/options.ts'
import { templateWarnings, workloadNameWarnings } from '../../core/pod/warnings.ts'

// Kubernetes: pkg/printers/internalversion.printReplicaSet
/** The columns of ReplicaSets and ReplicationControllers, whose selectors differ. */
export const replicaColumns = <T extends ReplicaSet | ReplicationController>(selectorCellOf: (object: T) => string) =>
  columnsOf<T>([
    nameColumn,
    integer('Desired', 'How many pods are wanted.', ({ spec }) => spec?.replicas ?? 0),
    integer('Current', 'How many pods there are.', ({ status }) => status?.replicas ?? 0),
    integer('Ready', 'How many pods are ready.', ({ status }) => status?.readyReplicas ?? 0),
    ageColumn,
    ...containerColumns<T>(({ spec }) => spec?.template?.spec?.containers),
    selectorColumn(selectorCellOf),
  ])

export const replicaSets: Kind<ReplicaSet> = {
  ...resource('apps.ReplicaSet'),
  strategy: {
    generation: true,
    generationChanges: isSpecChanged,
    defaultSpec(replicaSet) {
      const spec = fill('apps.ReplicaSetSpec', replicaSet.spec, { replicas: 1, template: {} })
      spec.template = defaultPodTemplate(spec.template)
      replicaSet.spec = spec
    },
    ...ownStatus('apps.ReplicaSetStatus', dropDisabled),
    prepareForStatusUpdate(next, current, { gates }) {
      keepSpec(next, current)
      dropUnless(gates.DeploymentReplicaSetTerminatingReplicas, next.status, current.status, 'terminatingReplicas')
    },
    validate: validateReplicaSet,
    validateUpdate: validateReplicaSetUpdate,
    validateStatusUpdate: validateReplicaSetStatusUpdate,
    warnings: replicaWarnings,
  },
  scale: selectorScale(),
  columns: replicaColumns(({ spec }) => selectorCell(spec?.selector)),
}

export function replicaWarnings<T extends ReplicaSet | ReplicationController>(object: T, current: T | undefined): string[] {
  if (current === undefined)
    return [...workloadNameWarnings(object.metadata?.name ?? ''), ...templateWarnings('spec.template', object.spec?.template)]
  return isSpecChanged(object, current) ? templateWarnings('spec.template', object.spec?.template) : []
}

function dropDisabled(next: Writable<ReplicaSet>, current: ReplicaSet | undefined, { gates }: StrategyContext): void {
  dropUnless(gates.TerminatingAsActive, next.spec, current?.spec, 'terminatingAsActive')
  dropConditionFields(gates, next.spec, current?.spec)
  dropDisabledTemplateFields(next.spec?.template, current?.spec?.template)
}

// Kubernetes: pkg/apis/apps/validation.ValidateReplicaSet, ValidateReplicaSetUpdate, ValidateReplicaSetStatusUpdate
// Kubernetes: pkg/apis/apps/validation.ValidateReplicaSetStatus, ValidateReplicaSetSpec
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

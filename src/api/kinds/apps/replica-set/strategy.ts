// Kubernetes: pkg/registry/apps/replicaset.rsStrategy.*, rsStatusStrategy.*
// Kubernetes: pkg/apis/apps/v1.SetDefaults_ReplicaSet
import { dropConditionFields, dropUnless } from '../../../machinery/disabled-fields.ts'
import { fill } from '../../../machinery/fields.ts'
import { isSpecChanged, keepSpec, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy, StrategyContext } from '../../../machinery/kind.ts'
import type { ReplicaSet, ReplicationController, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'
import { dropDisabledTemplateFields } from '../../core/pod/disabled-fields.ts'
import { templateWarnings, workloadNameWarnings } from '../../core/pod/warnings.ts'
import { validateReplicaSet, validateReplicaSetStatusUpdate, validateReplicaSetUpdate } from './validation.ts'

export const replicaSetStrategy: Strategy<ReplicaSet> = {
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

// How ReplicaSets and ReplicationControllers are made fit to be stored.
import { defaultReplicaSet, defaultReplicationController } from '../defaults/workloads.ts'
import { validateReplicaSet, validateReplicaSetStatusUpdate, validateReplicaSetUpdate } from '../kinds/apps/replica-set/validation.ts'
import { templateWarnings, workloadNameWarnings } from '../kinds/core/pod/warnings.ts'
import {
  validateReplicationController,
  validateReplicationControllerStatusUpdate,
  validateReplicationControllerUpdate,
} from '../kinds/core/replication-controller/validation.ts'
import type { FeatureGates } from '../machinery/feature-gates.ts'
import { isSpecChanged, keepSpec, keepStatus } from '../machinery/kept-fields.ts'
import type { Strategy } from '../machinery/kind.ts'
import type { ReplicaSet, ReplicationController, Writable } from '../types.ts'
import { dropConditionFields, dropDisabledTemplateFields, dropUnless } from './disabled-fields.ts'

export const replicaSetStrategy: Strategy<ReplicaSet> = {
  names: 'dns-subdomain',
  generation: true,
  generationChanges: isSpecChanged,
  defaultSpec: defaultReplicaSet,
  prepareForCreate(replicaSet, { gates }) {
    replicaSet.status = { replicas: 0 }
    dropDisabled(gates, replicaSet)
  },
  prepareForUpdate(next, current, { gates }) {
    keepStatus(next, current)
    dropDisabled(gates, next, current)
  },
  prepareForStatusUpdate(next, current, { gates }) {
    keepSpec(next, current)
    dropUnless(gates.DeploymentReplicaSetTerminatingReplicas, next.status, current.status, 'terminatingReplicas')
  },
  validate: validateReplicaSet,
  validateUpdate: validateReplicaSetUpdate,
  validateStatusUpdate: validateReplicaSetStatusUpdate,
  warnings: replicaWarnings,
}

export const replicationControllerStrategy: Strategy<ReplicationController> = {
  names: 'dns-subdomain',
  generation: true,
  generationChanges: isSpecChanged,
  defaultPropagation: 'Orphan',
  default: defaultReplicationController,
  prepareForCreate(controller, { gates }) {
    controller.status = { replicas: 0 }
    dropConditionFields(gates, controller.spec)
    dropDisabledTemplateFields(controller.spec?.template)
  },
  prepareForUpdate(next, current, { gates }) {
    keepStatus(next, current)
    dropConditionFields(gates, next.spec, current.spec)
    dropDisabledTemplateFields(next.spec?.template, current.spec?.template)
  },
  prepareForStatusUpdate: keepSpec,
  validate: validateReplicationController,
  validateUpdate: validateReplicationControllerUpdate,
  validateStatusUpdate: validateReplicationControllerStatusUpdate,
  warnings: replicaWarnings,
}

function replicaWarnings<T extends ReplicaSet | ReplicationController>(object: T, current: T | undefined): string[] {
  if (current === undefined)
    return [...workloadNameWarnings(object.metadata?.name ?? ''), ...templateWarnings('spec.template', object.spec?.template)]
  return isSpecChanged(object, current) ? templateWarnings('spec.template', object.spec?.template) : []
}

function dropDisabled(gates: FeatureGates, next: Writable<ReplicaSet>, current?: ReplicaSet): void {
  dropUnless(gates.TerminatingAsActive, next.spec, current?.spec, 'terminatingAsActive')
  dropConditionFields(gates, next.spec, current?.spec)
  dropDisabledTemplateFields(next.spec?.template, current?.spec?.template)
}

import { formatRequirements, selectorRequirements } from '../../../../base/label-selector.ts'
import { labelsCell } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { ReplicationController } from '../../../types.ts'
import { replicaColumns } from '../../apps/replica-set/columns.ts'
import { setReplicas } from '../../autoscaling/scale/access.ts'
import { replicationControllerStrategy } from './strategy.ts'

export const replicationControllers: Kind<ReplicationController> = {
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  type: 'core.ReplicationController',
  types: {
    'core.ReplicationController': {
      $typeMeta: 'object',
      spec: 'core.ReplicationControllerSpec #2',
      status: 'core.ReplicationControllerStatus #3',
    },
    'core.ReplicationControllerSpec': {
      replicas: '*int32 default=1 #1',
      minReadySeconds: 'int32 default=0 #4',
      selector: 'map string map=atomic #2',
      template: '*core.PodTemplateSpec #3',
      operationalThreshold: '*IntOrString proposal',
    },
    'core.ReplicationControllerStatus': {
      replicas: 'int32 always required #1',
      fullyLabeledReplicas: 'int32 #2',
      readyReplicas: 'int32 #4',
      availableReplicas: 'int32 #5',
      observedGeneration: 'int64 #3',
      conditions: '[]core.ReplicationControllerCondition patch=merge mergeKey=type list=map keys=type #6',
    },
    'core.ReplicationControllerCondition': {
      type: 'string always required goType=v1.ReplicationControllerConditionType #1',
      status: 'string always required goType=v1.ConditionStatus #2',
      lastTransitionTime: 'Time #3',
      reason: 'string #4',
      message: 'string #5',
    },
  },
  strategy: replicationControllerStrategy,
  subresources: {
    status: true,
    scale: {
      replicas: ({ spec }) => spec?.replicas ?? 0,
      statusReplicas: ({ status }) => status?.replicas ?? 0,
      selector: ({ spec }) => formatRequirements(selectorRequirements({ matchLabels: spec?.selector ?? {} }) ?? []),
      setReplicas,
    },
  },
  selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  columns: replicaColumns(({ spec }) => labelsCell(spec?.selector)),
  unknownFieldMessage: unsupportedField,
}

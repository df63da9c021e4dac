import { selectorCell } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ReplicaSet } from '../../../types.ts'
import { selectorScale } from '../../autoscaling/scale/access.ts'
import { replicaColumns } from './columns.ts'
import { replicaSetStrategy } from './strategy.ts'

export const replicaSets: Kind<ReplicaSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  type: 'apps.ReplicaSet',
  types: {
    'apps.ReplicaSet': {
      $typeMeta: 'object',
      spec: 'apps.ReplicaSetSpec #2',
      status: 'apps.ReplicaSetStatus #3',
    },
    'apps.ReplicaSetSpec': {
      replicas: '*int32 #1',
      minReadySeconds: 'int32 #4',
      selector: '*meta.LabelSelector always required #2',
      template: 'core.PodTemplateSpec #3',
      terminatingAsActive: '*bool proposal',
      operationalThreshold: '*IntOrString proposal',
    },
    'apps.ReplicaSetStatus': {
      replicas: 'int32 always required #1',
      fullyLabeledReplicas: 'int32 #2',
      readyReplicas: 'int32 #4',
      availableReplicas: 'int32 #5',
      terminatingReplicas: '*int32 #7',
      observedGeneration: 'int64 #3',
      conditions: '[]apps.ReplicaSetCondition patch=merge mergeKey=type list=map keys=type #6',
    },
    'apps.ReplicaSetCondition': {
      type: 'string always required goType=v1.ReplicaSetConditionType #1',
      status: 'string always required goType=v1.ConditionStatus #2',
      lastTransitionTime: 'Time #3',
      reason: 'string #4',
      message: 'string #5',
    },
  },
  strategy: replicaSetStrategy,
  subresources: { status: true, scale: selectorScale() },
  columns: replicaColumns(({ spec }) => selectorCell(spec?.selector)),
}

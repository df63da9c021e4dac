import type { Types } from '../../../machinery/schema/schema.ts'

export const statefulSetTypes: Types = {
  'apps.StatefulSet': {
    $typeMeta: 'object',
    spec: 'apps.StatefulSetSpec #2',
    status: 'apps.StatefulSetStatus #3',
  },
  'apps.StatefulSetSpec': {
    replicas: '*int32 #1',
    selector: '*meta.LabelSelector always required #2',
    template: 'core.PodTemplateSpec always required #3',
    volumeClaimTemplates: '[]core.PersistentVolumeClaim list=atomic #4',
    serviceName: 'string always #5',
    podManagementPolicy: 'string goType=v1.PodManagementPolicyType #6',
    updateStrategy: 'apps.StatefulSetUpdateStrategy #7',
    revisionHistoryLimit: '*int32 #8',
    minReadySeconds: 'int32 #9',
    persistentVolumeClaimRetentionPolicy: '*apps.StatefulSetPersistentVolumeClaimRetentionPolicy #10',
    ordinals: '*apps.StatefulSetOrdinals #11',
    progressDeadlineSeconds: '*int32 proposal',
    operationalThreshold: '*IntOrString proposal',
  },
  'apps.StatefulSetUpdateStrategy': {
    type: 'string goType=v1.StatefulSetUpdateStrategyType #1',
    rollingUpdate: '*apps.RollingUpdateStatefulSetStrategy #2',
  },
  'apps.RollingUpdateStatefulSetStrategy': {
    partition: '*int32 #1',
    maxUnavailable: '*IntOrString #2',
  },
  'apps.StatefulSetPersistentVolumeClaimRetentionPolicy': {
    whenDeleted: 'string goType=v1.PersistentVolumeClaimRetentionPolicyType #1',
    whenScaled: 'string goType=v1.PersistentVolumeClaimRetentionPolicyType #2',
  },
  'apps.StatefulSetOrdinals': {
    start: 'int32 always #1',
  },
  'apps.StatefulSetStatus': {
    observedGeneration: 'int64 #1',
    replicas: 'int32 always required #2',
    readyReplicas: 'int32 #3',
    currentReplicas: 'int32 #4',
    updatedReplicas: 'int32 #5',
    currentRevision: 'string #6',
    updateRevision: 'string #7',
    collisionCount: '*int32 #9',
    conditions: '[]apps.StatefulSetCondition patch=merge mergeKey=type list=map keys=type #10',
    availableReplicas: 'int32 always #11',
  },
  'apps.StatefulSetCondition': {
    type: 'string always required goType=v1.StatefulSetConditionType #1',
    status: 'string always required goType=v1.ConditionStatus #2',
    lastTransitionTime: 'Time #3',
    reason: 'string #4',
    message: 'string #5',
    lastUpdateTime: '*Time proposal',
  },
}

import type { Types } from '../../../machinery/schema/schema.ts'

export const daemonSetTypes: Types = {
  'apps.DaemonSet': {
    $typeMeta: 'object',
    spec: 'apps.DaemonSetSpec #2',
    status: 'apps.DaemonSetStatus #3',
  },
  'apps.DaemonSetSpec': {
    selector: '*meta.LabelSelector always required #1',
    template: 'core.PodTemplateSpec always required #2',
    updateStrategy: 'apps.DaemonSetUpdateStrategy #3',
    minReadySeconds: 'int32 #4',
    revisionHistoryLimit: '*int32 #6',
    progressDeadlineSeconds: '*int32 proposal',
    operationalThreshold: '*IntOrString proposal',
  },
  'apps.DaemonSetUpdateStrategy': {
    type: 'string goType=v1.DaemonSetUpdateStrategyType #1',
    rollingUpdate: '*apps.RollingUpdateDaemonSet #2',
  },
  'apps.RollingUpdateDaemonSet': {
    maxUnavailable: '*IntOrString #1',
    maxSurge: '*IntOrString #2',
  },
  'apps.DaemonSetStatus': {
    currentNumberScheduled: 'int32 always required #1',
    numberMisscheduled: 'int32 always required #2',
    desiredNumberScheduled: 'int32 always required #3',
    numberReady: 'int32 always required #4',
    observedGeneration: 'int64 #5',
    updatedNumberScheduled: 'int32 #6',
    numberAvailable: 'int32 #7',
    numberUnavailable: 'int32 #8',
    collisionCount: '*int32 #9',
    conditions: '[]apps.DaemonSetCondition patch=merge mergeKey=type list=map keys=type #10',
  },
  'apps.DaemonSetCondition': {
    type: 'string always required goType=v1.DaemonSetConditionType #1',
    status: 'string always required goType=v1.ConditionStatus #2',
    lastTransitionTime: 'Time #3',
    reason: 'string #4',
    message: 'string #5',
    lastUpdateTime: '*Time proposal',
  },
}

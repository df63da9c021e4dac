import type { Types } from '../../../machinery/schema/schema.ts'

export const deploymentTypes: Types = {
  'apps.Deployment': {
    $typeMeta: 'object',
    spec: 'apps.DeploymentSpec #2',
    status: 'apps.DeploymentStatus #3',
  },
  'apps.DeploymentSpec': {
    replicas: '*int32 #1',
    selector: '*meta.LabelSelector always required #2',
    template: 'core.PodTemplateSpec always required #3',
    strategy: 'apps.DeploymentStrategy patch=retainKeys #4',
    minReadySeconds: 'int32 #5',
    revisionHistoryLimit: '*int32 #6',
    paused: 'bool #7',
    progressDeadlineSeconds: '*int32 #9',
    podReplacementPolicy: '*string enum=TerminationComplete|TerminationStarted proposal #10',
    terminatingAsActive: '*bool proposal',
    operationalThreshold: '*IntOrString proposal',
  },
  'apps.DeploymentStrategy': {
    type: 'string goType=v1.DeploymentStrategyType #1',
    rollingUpdate: '*apps.RollingUpdateDeployment #2',
  },
  'apps.RollingUpdateDeployment': {
    maxUnavailable: '*IntOrString #1',
    maxSurge: '*IntOrString #2',
  },
  'apps.DeploymentStatus': {
    observedGeneration: 'int64 #1',
    replicas: 'int32 #2',
    updatedReplicas: 'int32 #3',
    readyReplicas: 'int32 #7',
    availableReplicas: 'int32 #4',
    unavailableReplicas: 'int32 #5',
    terminatingReplicas: '*int32 #9',
    conditions: '[]apps.DeploymentCondition patch=merge mergeKey=type list=map keys=type #6',
    collisionCount: '*int32 #8',
  },
  'apps.DeploymentCondition': {
    type: 'string always required goType=v1.DeploymentConditionType #1',
    status: 'string always required goType=v1.ConditionStatus #2',
    lastUpdateTime: 'Time #6',
    lastTransitionTime: 'Time #7',
    reason: 'string #4',
    message: 'string #5',
  },
}

import type { Types } from '../../../machinery/schema/schema.ts'

export const horizontalPodAutoscalerV1Types: Types = {
  'autoscaling.HorizontalPodAutoscaler': {
    $typeMeta: 'object',
    spec: 'autoscaling.HorizontalPodAutoscalerSpec required #2',
    status: 'autoscaling.HorizontalPodAutoscalerStatus #3',
  },
  'autoscaling.HorizontalPodAutoscalerSpec': {
    scaleTargetRef: 'autoscaling.CrossVersionObjectReference always required #1',
    minReplicas: '*int32 #2',
    maxReplicas: 'int32 always required #3',
    targetCPUUtilizationPercentage: '*int32 #4',
  },
  'autoscaling.HorizontalPodAutoscalerStatus': {
    observedGeneration: '*int64 #1',
    lastScaleTime: '*Time #2',
    currentReplicas: 'int32 always required #3',
    desiredReplicas: 'int32 always required #4',
    currentCPUUtilizationPercentage: '*int32 #5',
  },
  'autoscaling.CrossVersionObjectReference': {
    $struct: 'atomic',
    kind: 'string always required #1',
    name: 'string always required #2',
    apiVersion: 'string goName=APIVersion #3',
  },
}

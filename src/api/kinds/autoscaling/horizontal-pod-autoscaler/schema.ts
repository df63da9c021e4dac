import type { Types } from '../../../machinery/schema/schema.ts'

export const horizontalPodAutoscalerTypes: Types = {
  'autoscaling/v2.HorizontalPodAutoscaler': {
    $typeMeta: 'object',
    spec: 'autoscaling/v2.HorizontalPodAutoscalerSpec required #2',
    status: 'autoscaling/v2.HorizontalPodAutoscalerStatus #3',
  },
  'autoscaling/v2.HorizontalPodAutoscalerSpec': {
    scaleTargetRef: 'autoscaling/v2.CrossVersionObjectReference always required #1',
    minReplicas: '*int32 #2',
    maxReplicas: 'int32 always required #3',
    metrics: '[]autoscaling/v2.MetricSpec list=atomic #4',
    behavior: '*autoscaling/v2.HorizontalPodAutoscalerBehavior #5',
  },
  'autoscaling/v2.HorizontalPodAutoscalerStatus': {
    observedGeneration: '*int64 #1',
    lastScaleTime: '*Time #2',
    currentReplicas: 'int32 #3',
    desiredReplicas: 'int32 always required #4',
    currentMetrics: '[]autoscaling/v2.MetricStatus always list=atomic #5',
    conditions: '[]autoscaling/v2.HorizontalPodAutoscalerCondition patch=merge mergeKey=type list=map keys=type #6',
  },
  'autoscaling/v2.CrossVersionObjectReference': {
    kind: 'string always required #1',
    name: 'string always required #2',
    apiVersion: 'string goName=APIVersion #3',
  },
  'autoscaling/v2.MetricSpec': {
    type: 'string always required goType=v2.MetricSourceType #1',
    object: '*autoscaling/v2.ObjectMetricSource #2',
    pods: '*autoscaling/v2.PodsMetricSource #3',
    resource: '*autoscaling/v2.ResourceMetricSource #4',
    containerResource: '*autoscaling/v2.ContainerResourceMetricSource #7',
    external: '*autoscaling/v2.ExternalMetricSource #5',
  },
  'autoscaling/v2.HorizontalPodAutoscalerBehavior': {
    scaleUp: '*autoscaling/v2.HPAScalingRules #1',
    scaleDown: '*autoscaling/v2.HPAScalingRules #2',
  },
  'autoscaling/v2.MetricStatus': {
    type: 'string always required goType=v2.MetricSourceType #1',
    object: '*autoscaling/v2.ObjectMetricStatus #2',
    pods: '*autoscaling/v2.PodsMetricStatus #3',
    resource: '*autoscaling/v2.ResourceMetricStatus #4',
    containerResource: '*autoscaling/v2.ContainerResourceMetricStatus #7',
    external: '*autoscaling/v2.ExternalMetricStatus #5',
  },
  'autoscaling/v2.HorizontalPodAutoscalerCondition': {
    type: 'string always required goType=v2.HorizontalPodAutoscalerConditionType #1',
    status: 'string always required goType=v1.ConditionStatus #2',
    lastTransitionTime: 'Time #3',
    reason: 'string #4',
    message: 'string #5',
  },
  'autoscaling/v2.ObjectMetricSource': {
    describedObject: 'autoscaling/v2.CrossVersionObjectReference always required #1',
    target: 'autoscaling/v2.MetricTarget always required #2',
    metric: 'autoscaling/v2.MetricIdentifier always required #3',
  },
  'autoscaling/v2.PodsMetricSource': {
    metric: 'autoscaling/v2.MetricIdentifier always required #1',
    target: 'autoscaling/v2.MetricTarget always required #2',
  },
  'autoscaling/v2.ResourceMetricSource': {
    name: 'string always required goType=v1.ResourceName #1',
    target: 'autoscaling/v2.MetricTarget always required #2',
  },
  'autoscaling/v2.ContainerResourceMetricSource': {
    name: 'string always required goType=v1.ResourceName #1',
    target: 'autoscaling/v2.MetricTarget always required #2',
    container: 'string always required #3',
  },
  'autoscaling/v2.ExternalMetricSource': {
    metric: 'autoscaling/v2.MetricIdentifier always required #1',
    target: 'autoscaling/v2.MetricTarget always required #2',
  },
  'autoscaling/v2.HPAScalingRules': {
    stabilizationWindowSeconds: '*int32 #3',
    selectPolicy: '*string goType=v2.ScalingPolicySelect #1',
    policies: '[]autoscaling/v2.HPAScalingPolicy list=atomic #2',
    tolerance: '*Quantity #4',
  },
  'autoscaling/v2.ObjectMetricStatus': {
    metric: 'autoscaling/v2.MetricIdentifier always required #1',
    current: 'autoscaling/v2.MetricValueStatus always required #2',
    describedObject: 'autoscaling/v2.CrossVersionObjectReference always required #3',
  },
  'autoscaling/v2.PodsMetricStatus': {
    metric: 'autoscaling/v2.MetricIdentifier always required #1',
    current: 'autoscaling/v2.MetricValueStatus always required #2',
  },
  'autoscaling/v2.ResourceMetricStatus': {
    name: 'string always required goType=v1.ResourceName #1',
    current: 'autoscaling/v2.MetricValueStatus always required #2',
  },
  'autoscaling/v2.ContainerResourceMetricStatus': {
    name: 'string always required goType=v1.ResourceName #1',
    current: 'autoscaling/v2.MetricValueStatus always required #2',
    container: 'string always required #3',
  },
  'autoscaling/v2.ExternalMetricStatus': {
    metric: 'autoscaling/v2.MetricIdentifier always required #1',
    current: 'autoscaling/v2.MetricValueStatus always required #2',
  },
  'autoscaling/v2.MetricTarget': {
    type: 'string always required goType=v2.MetricTargetType #1',
    value: '*Quantity #2',
    averageValue: '*Quantity #3',
    averageUtilization: '*int32 #4',
  },
  'autoscaling/v2.MetricIdentifier': {
    name: 'string always required #1',
    selector: '*meta.LabelSelector #2',
  },
  'autoscaling/v2.HPAScalingPolicy': {
    type: 'string always required goType=v2.HPAScalingPolicyType #1',
    value: 'int32 always required #2',
    periodSeconds: 'int32 always required #3',
  },
  'autoscaling/v2.MetricValueStatus': {
    value: '*Quantity #1',
    averageValue: '*Quantity #2',
    averageUtilization: '*int32 #3',
  },
}

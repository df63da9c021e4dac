// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { horizontalPodAutoscalers } from './kind.ts'
import { validateHorizontalPodAutoscaler, validateHorizontalPodAutoscalerUpdate } from './validation.ts'

const horizontalPodAutoscaler: Subject = {
  type: 'autoscaling/v2.HorizontalPodAutoscaler',
  strategy: horizontalPodAutoscalers.strategy,
  base: {},
}
creates(validateHorizontalPodAutoscaler, horizontalPodAutoscaler, [
  [
    'max < min',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, minReplicas: 5, maxReplicas: 3 },
    },
    ['spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`'],
  ],
  [
    'no max',
    { metadata: { name: 'x', namespace: 'default' }, spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } } },
    ['spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`', 'spec.maxReplicas: Required value'],
  ],
  [
    'zero min, no ref',
    { metadata: { name: 'x', namespace: 'default' }, spec: { minReplicas: 0, maxReplicas: -1, scaleTargetRef: {} } },
    [
      'spec.maxReplicas: Invalid value: -1: must be greater than or equal to `minReplicas`',
      'spec.scaleTargetRef.kind: Required value',
      'spec.scaleTargetRef.name: Required value',
      'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
      'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
      'spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1',
    ],
  ],
  [
    'no apiVersion',
    { metadata: { name: 'x', namespace: 'default' }, spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 } },
    ['spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group'],
  ],
  [
    'rc',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: { scaleTargetRef: { kind: 'ReplicationController', name: 'd' }, maxReplicas: 3 },
    },
    [],
  ],
  [
    'core group',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: { scaleTargetRef: { apiVersion: 'v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
    },
    ['spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group'],
  ],
  [
    'bad metric types',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 3,
        metrics: [
          { type: 'Foo' },
          {},
          { type: 'Resource' },
          { type: 'Resource', resource: {} },
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0, averageValue: '0' } } },
        ],
      },
    },
    [
      'spec.metrics[0].type: Unsupported value: "Foo": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      'spec.metrics[0].type: Unsupported value: "Foo": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      'spec.metrics[1].type: Required value: must specify a metric source type',
      'spec.metrics[1].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      'spec.metrics[1].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      'spec.metrics[2].resource: Required value: must populate information for the given metric source',
      'spec.metrics[3].resource.name: Required value: must specify a resource name',
      'spec.metrics[3].resource.target.type: Required value: must specify a metric target type',
      'spec.metrics[3].resource.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
      'spec.metrics[3].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
      'spec.metrics[4].resource.target.averageValue: Invalid value: "0": must be positive',
      'spec.metrics[4].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
      'spec.metrics[4].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization',
    ],
  ],
  [
    'two sources',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 3,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1 } },
            pods: { metric: { name: 'x' }, target: { type: 'AverageValue', averageValue: '1' } },
          },
        ],
      },
    },
    ['spec.metrics[0].pods: Forbidden: must populate the given metric source only'],
  ],
  [
    'bad external etc',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 3,
        metrics: [
          { type: 'External', external: { metric: {}, target: { type: 'X', value: '-1', averageValue: '1' } } },
          { type: 'Pods', pods: { metric: { name: 'a/b' }, target: { type: 'Value', value: '1' } } },
          { type: 'Object', object: { metric: { name: 'a' }, describedObject: { apiVersion: 'a/b/c' }, target: { type: 'Value' } } },
          {
            type: 'ContainerResource',
            containerResource: { name: 'foo', container: 'A_', target: { type: 'Utilization', averageUtilization: 1 } },
          },
        ],
      },
    },
    [
      'spec.metrics[0].external.metric.name: Required value: must specify a metric name',
      'spec.metrics[0].external.target.type: Invalid value: "X": must be either Utilization, Value, or AverageValue',
      'spec.metrics[0].external.target.value: Invalid value: "-1": must be positive',
      'spec.metrics[0].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target',
      'spec.metrics[1].pods.metric.name: Invalid value: "a/b": may not contain \'/\'',
      'spec.metrics[1].pods.target.averageValue: Required value: must specify a positive target averageValue',
      'spec.metrics[2].object.describedObject.kind: Required value',
      'spec.metrics[2].object.describedObject.name: Required value',
      'spec.metrics[2].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      'spec.metrics[2].object.target.averageValue: Required value: must set either a target value or averageValue',
      'spec.metrics[3].containerResource.name: Invalid value: "foo": must be a standard resource type or fully qualified',
      'spec.metrics[3].containerResource.name: Invalid value: "foo": must be a standard resource for containers',
      "spec.metrics[3].containerResource.container: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
])
updates(validateHorizontalPodAutoscalerUpdate, horizontalPodAutoscaler, [
  [
    'update max',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3, minReplicas: 9 },
    },
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
    },
    ['spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`'],
  ],
])

// Metrics in the form of the first versions, which the annotations of version 1 have.
// Kubernetes: pkg/apis/autoscaling/v1.Convert_autoscaling_MetricSpec_To_v1_MetricSpec
import type { HorizontalPodAutoscaler } from '../../../types.ts'

type Metric = NonNullable<NonNullable<HorizontalPodAutoscaler['spec']>['metrics']>[number]
type Status = NonNullable<NonNullable<HorizontalPodAutoscaler['status']>['currentMetrics']>[number]
type Fields = Readonly<Record<string, never>>

/** The fields that have a value, in this order. */
const present = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

export function metricToVersion1(metric: Metric): object {
  const { object, pods, resource, containerResource, external } = metric
  return present({
    type: metric.type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric?.name,
      targetValue: object.target?.value ?? '0',
      ...present({ selector: object.metric?.selector, averageValue: object.target?.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric?.name,
      targetAverageValue: pods.target?.averageValue ?? '0',
      ...present({ selector: pods.metric?.selector }),
    },
    resource: resource && resourceToVersion1(resource),
    containerResource: containerResource && { ...resourceToVersion1(containerResource), container: containerResource.container },
    external: external && {
      metricName: external.metric?.name,
      ...present({
        metricSelector: external.metric?.selector,
        targetValue: external.target?.value,
        targetAverageValue: external.target?.averageValue,
      }),
    },
  })
}

const resourceToVersion1 = ({ name, target }: NonNullable<Metric['resource']>) => ({
  name,
  ...present({ targetAverageUtilization: target?.averageUtilization, targetAverageValue: target?.averageValue }),
})

export function metricFromVersion1(metric: Fields): object {
  const { object, pods, resource, containerResource, external } = metric as Readonly<Record<string, Fields | undefined>>
  const target = (value: Fields) =>
    present({
      type: value['targetAverageUtilization'] === undefined ? 'AverageValue' : 'Utilization',
      averageValue: value['targetAverageValue'],
      averageUtilization: value['targetAverageUtilization'],
    })
  return present({
    type: metric['type'],
    object: object && {
      describedObject: object['target'],
      target:
        object['averageValue'] === undefined
          ? { type: 'Value', value: object['targetValue'] }
          : { type: 'AverageValue', averageValue: object['averageValue'] },
      metric: present({ name: object['metricName'], selector: object['selector'] }),
    },
    pods: pods && {
      metric: present({ name: pods['metricName'], selector: pods['selector'] }),
      target: { type: 'AverageValue', averageValue: pods['targetAverageValue'] },
    },
    resource: resource && { name: resource['name'], target: target(resource) },
    containerResource: containerResource && {
      name: containerResource['name'],
      target: target(containerResource),
      container: containerResource['container'],
    },
    external: external && {
      metric: present({ name: external['metricName'], selector: external['metricSelector'] }),
      target: present({
        type: external['targetValue'] === undefined ? 'AverageValue' : 'Value',
        value: external['targetValue'],
        averageValue: external['targetAverageValue'],
      }),
    },
  })
}

export function statusToVersion1(status: Status): object {
  const { object, pods, resource, containerResource, external } = status
  const ofResource = ({ name, current }: NonNullable<Status['resource']>) => ({
    name,
    ...present({ currentAverageUtilization: current?.averageUtilization }),
    currentAverageValue: current?.averageValue ?? '0',
  })
  return present({
    type: status.type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric?.name,
      currentValue: object.current?.value ?? '0',
      ...present({ selector: object.metric?.selector, averageValue: object.current?.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric?.name,
      currentAverageValue: pods.current?.averageValue ?? '0',
      ...present({ selector: pods.metric?.selector }),
    },
    resource: resource && ofResource(resource),
    containerResource: containerResource && { ...ofResource(containerResource), container: containerResource.container },
    external: external && {
      metricName: external.metric?.name,
      ...present({ metricSelector: external.metric?.selector }),
      currentValue: external.current?.value ?? '0',
      ...present({ currentAverageValue: external.current?.averageValue }),
    },
  })
}

export function statusFromVersion1(status: Fields): object {
  const { object, pods, resource, containerResource, external } = status as Readonly<Record<string, Fields | undefined>>
  const current = (value: Fields) =>
    present({
      value: value['currentValue'],
      averageValue: value['currentAverageValue'] ?? value['averageValue'],
      averageUtilization: value['currentAverageUtilization'],
    })
  const metric = (value: Fields) => present({ name: value['metricName'], selector: value['selector'] ?? value['metricSelector'] })
  return present({
    type: status['type'],
    object: object && { metric: metric(object), current: current(object), describedObject: object['target'] },
    pods: pods && { metric: metric(pods), current: current(pods) },
    resource: resource && { name: resource['name'], current: current(resource) },
    containerResource: containerResource && {
      name: containerResource['name'],
      current: current(containerResource),
      container: containerResource['container'],
    },
    external: external && { metric: metric(external), current: current(external) },
  })
}

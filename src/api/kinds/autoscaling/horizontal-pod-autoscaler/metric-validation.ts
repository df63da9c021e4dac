// Kubernetes: pkg/apis/autoscaling/validation.validateMetricSpec, validateMetricTarget, validateExternalSource, validateObjectSource
// Kubernetes: pkg/apis/autoscaling/validation.validatePodsSource, validateResourceSource, validateContainerResourceSource
// Kubernetes: pkg/apis/autoscaling/validation.ValidateCrossVersionObjectReference
import { type FieldError, forbidden, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import type { autoscalingV2 } from '../../../machinery/generated/models.ts'
import { isDns1123Label, isPathSegmentName } from '../../../machinery/validation/names.ts'
import { quantityOf, validateContainerResourceName } from '../../../machinery/validation/resources.ts'
import type { HorizontalPodAutoscaler } from '../../../types.ts'

export type Metric = NonNullable<NonNullable<HorizontalPodAutoscaler['spec']>['metrics']>[number]
type Target = NonNullable<Metric['external']>['target']
type Identifier = NonNullable<Metric['external']>['metric']

const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']
/** In the order in which Kubernetes validates them: of several, only the first is validated. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const
const sourceOf = (type: string) => sources.find((source) => source.toLowerCase() === type.toLowerCase())

export function validateMetric(metric: Metric, path: string): FieldError[] {
  const errors: FieldError[] = []
  const type = metric.type ?? ''
  const isKnown = metricTypes.includes(type)
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric source type'))
  if (!isKnown) errors.push(notSupported(`${path}.type`, typed(type), metricTypes))
  const present = sources.filter((source) => metric[source] !== undefined)
  if (present[0] !== undefined) errors.push(...validateSource(metric, present[0], `${path}.${present[0]}`))
  const expected = isKnown ? sourceOf(type) : undefined
  if (!isKnown) errors.push(notSupported(`${path}.type`, typed(type), metricTypes))
  else if (expected !== undefined && metric[expected] === undefined)
    errors.push(required(`${path}.${expected}`, 'must populate information for the given metric source'))
  if (present.length !== 1)
    for (const source of present)
      if (source !== expected) errors.push(forbidden(`${path}.${source}`, 'must populate the given metric source only'))
  return errors
}

function validateSource(metric: Metric, source: (typeof sources)[number], path: string): FieldError[] {
  switch (source) {
    case 'object': {
      const { describedObject, metric: identifier, target } = metric.object!
      return [
        ...validateObjectReference(describedObject, `${path}.describedObject`, true),
        ...validateIdentifier(identifier, `${path}.metric`),
        ...validateTarget(target, `${path}.target`),
        ...(target?.value === undefined && target?.averageValue === undefined
          ? [required(`${path}.target.averageValue`, 'must set either a target value or averageValue')]
          : []),
      ]
    }
    case 'external': {
      const { metric: identifier, target } = metric.external!
      const errors = [...validateIdentifier(identifier, `${path}.metric`), ...validateTarget(target, `${path}.target`)]
      if (target?.value === undefined && target?.averageValue === undefined)
        errors.push(required(`${path}.target.averageValue`, 'must set either a target value for metric or a per-pod target'))
      if (target?.value !== undefined && target.averageValue !== undefined)
        errors.push(forbidden(`${path}.target.value`, 'may not set both a target value for metric and a per-pod target'))
      return errors
    }
    case 'pods': {
      const { metric: identifier, target } = metric.pods!
      const errors = [...validateIdentifier(identifier, `${path}.metric`), ...validateTarget(target, `${path}.target`)]
      if (target?.averageValue === undefined)
        errors.push(required(`${path}.target.averageValue`, 'must specify a positive target averageValue'))
      return errors
    }
    case 'resource': {
      const { name, target } = metric.resource!
      return [...(name ? [] : [required(`${path}.name`, 'must specify a resource name')]), ...validateResourceTarget(target, path)]
    }
    case 'containerResource': {
      const { name, container, target } = metric.containerResource!
      return [
        ...(name ? validateContainerResourceName(name, `${path}.name`) : [required(`${path}.name`, 'must specify a resource name')]),
        ...(container
          ? isDns1123Label(container).map((message) => invalid(`${path}.container`, container, message))
          : [required(`${path}.container`, 'must specify a container')]),
        ...validateResourceTarget(target, path),
      ]
    }
  }
}

function validateResourceTarget(target: Target | undefined, path: string): FieldError[] {
  const errors = validateTarget(target, `${path}.target`)
  if (target?.averageUtilization === undefined && target?.averageValue === undefined)
    errors.push(required(`${path}.target.averageUtilization`, 'must set either a target raw value or a target utilization'))
  if (target?.averageUtilization !== undefined && target.averageValue !== undefined)
    errors.push(forbidden(`${path}.target.averageValue`, 'may not set both a target raw value and a target utilization'))
  return errors
}

function validateTarget(target: Target | undefined, path: string): FieldError[] {
  const errors: FieldError[] = []
  const type = target?.type ?? ''
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric target type'))
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    errors.push(invalid(`${path}.type`, typed(type), 'must be either Utilization, Value, or AverageValue'))
  for (const field of ['value', 'averageValue'] as const) {
    const value = target?.[field]
    if (value !== undefined && quantityOf(value).nano <= 0n) errors.push(invalid(`${path}.${field}`, typed(value), 'must be positive'))
  }
  const utilization = target?.averageUtilization
  if (utilization !== undefined && utilization < 1)
    errors.push(invalid(`${path}.averageUtilization`, utilization, 'must be greater than 0'))
  return errors
}

function validateIdentifier(identifier: Identifier | undefined, path: string): FieldError[] {
  const name = identifier?.name ?? ''
  if (name === '') return [required(`${path}.name`, 'must specify a metric name')]
  return isPathSegmentName(name).map((message) => invalid(`${path}.name`, name, message))
}

export function validateObjectReference(
  reference: autoscalingV2.CrossVersionObjectReference | undefined,
  path: string,
  allowEmptyGroup: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  const { kind = '', name = '', apiVersion = '' } = reference ?? {}
  for (const [field, value] of [
    ['kind', kind],
    ['name', name],
  ] as const)
    if (value === '') errors.push(required(`${path}.${field}`, ''))
    else for (const message of isPathSegmentName(value)) errors.push(invalid(`${path}.${field}`, value, message))
  const parts = apiVersion.split('/')
  if (parts.length > 2) errors.push(invalid(`${path}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`))
  else if (!allowEmptyGroup && (parts.length < 2 || parts[0] === ''))
    errors.push(invalid(`${path}.apiVersion`, apiVersion, 'apiVersion must specify API group'))
  return errors
}

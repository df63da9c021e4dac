// Kubernetes: pkg/apis/autoscaling/validation.ValidateHorizontalPodAutoscaler, ValidateHorizontalPodAutoscalerUpdate
// Kubernetes: pkg/apis/autoscaling/validation.ValidateHorizontalPodAutoscalerStatusUpdate, validateHorizontalPodAutoscalerSpec
// Kubernetes: pkg/apis/autoscaling/validation.validateMetrics, validateBehavior, validateScalingRules, validateScalingPolicy
import { isEqualJson } from '../../../../base/json.ts'
import { declared, type FieldError, forbidden, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import type { autoscalingV2 } from '../../../machinery/generated/models.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import { addNegative, addNegatives } from '../../../machinery/validation/counts.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { isDns1123Label, isPathSegmentName, notNegativeMessage } from '../../../machinery/validation/names.ts'
import { quantityOf, validateContainerResourceName } from '../../../machinery/validation/resources.ts'
import type { HorizontalPodAutoscaler } from '../../../types.ts'

type ScalingRules = NonNullable<NonNullable<NonNullable<HorizontalPodAutoscaler['spec']>['behavior']>['scaleUp']>

export function validateHorizontalPodAutoscaler(autoscaler: HorizontalPodAutoscaler, { gates }: StrategyContext): FieldError[] {
  return validateSpec(autoscaler.spec, coreTargets.has(autoscaler.spec?.scaleTargetRef?.kind ?? ''), gates.HPAScaleToZero)
}

export function validateHorizontalPodAutoscalerUpdate(
  next: HorizontalPodAutoscaler,
  current: HorizontalPodAutoscaler,
  { gates }: StrategyContext,
): FieldError[] {
  const isSameTarget = isEqualJson(next.spec?.scaleTargetRef, current.spec?.scaleTargetRef)
  const allowEmptyGroup = isSameTarget || coreTargets.has(next.spec?.scaleTargetRef?.kind ?? '')
  return validateSpec(next.spec, allowEmptyGroup, gates.HPAScaleToZero || current.spec?.minReplicas === 0)
}

/** The kinds of the core group that can be scaled: a reference to them needs no group. */
const coreTargets = new Set(['ReplicationController'])

function validateSpec(spec: HorizontalPodAutoscaler['spec'], allowEmptyGroup: boolean, allowZero: boolean): FieldError[] {
  const errors: FieldError[] = []
  const { minReplicas, maxReplicas = 0, scaleTargetRef, metrics = [], behavior } = spec ?? {}
  const least = allowZero ? 0 : 1
  if (minReplicas !== undefined && minReplicas < least)
    errors.push(declared(invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${least}`)))
  if (maxReplicas === 0) errors.push(declared(required('spec.maxReplicas', '')))
  else if (maxReplicas < 0) errors.push(declared(invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1')))
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    errors.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'))
  errors.push(...validateObjectReference(scaleTargetRef, 'spec.scaleTargetRef', allowEmptyGroup))
  for (const [index, metric] of metrics.entries()) errors.push(...validateMetric(metric, `spec.metrics[${index}]`))
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External'))
    errors.push(forbidden('spec.metrics', 'must specify at least one Object or External metric to support scaling to zero replicas'))
  for (const field of ['scaleUp', 'scaleDown'] as const) {
    const rules = behavior?.[field]
    if (rules !== undefined) errors.push(...validateRules(rules, `spec.behavior.${field}`))
  }
  return errors
}

const maxWindowSeconds = 3600
const maxPeriodSeconds = 1800

function validateRules(rules: ScalingRules, path: string): FieldError[] {
  const errors: FieldError[] = []
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules
  if (window !== undefined && window < 0)
    errors.push(invalid(`${path}.stabilizationWindowSeconds`, window, 'must be greater than or equal to zero'))
  if (window !== undefined && window > maxWindowSeconds)
    errors.push(invalid(`${path}.stabilizationWindowSeconds`, window, `must be less than or equal to ${maxWindowSeconds}`))
  addUnsupported(errors, selectPolicy, ['Disabled', 'Max', 'Min'], `${path}.selectPolicy`)
  if (policies.length === 0) errors.push(required(`${path}.policies`, 'must specify at least one Policy'))
  for (const [index, { type = '', value = 0, periodSeconds = 0 }] of policies.entries()) {
    const at = `${path}.policies[${index}]`
    addUnsupported(errors, type, ['Percent', 'Pods'], `${at}.type`)
    if (value <= 0) errors.push(invalid(`${at}.value`, value, 'must be greater than zero'))
    if (periodSeconds <= 0) errors.push(invalid(`${at}.periodSeconds`, periodSeconds, 'must be greater than zero'))
    if (periodSeconds > maxPeriodSeconds)
      errors.push(invalid(`${at}.periodSeconds`, periodSeconds, `must be less than or equal to ${maxPeriodSeconds}`))
  }
  if (tolerance !== undefined && quantityOf(tolerance).nano < 0n) errors.push(invalid(`${path}.tolerance`, tolerance, notNegativeMessage))
  return errors
}

export function validateHorizontalPodAutoscalerStatusUpdate(next: HorizontalPodAutoscaler): FieldError[] {
  const errors: FieldError[] = []
  const status: Partial<NonNullable<HorizontalPodAutoscaler['status']>> = next.status ?? {}
  for (const [index, { observedGeneration }] of (status.conditions ?? []).entries())
    addNegative(errors, observedGeneration, `status.conditions[${index}].observedGeneration`)
  addNegatives(errors, status, ['currentReplicas', 'desiredReplicas'])
  return errors
}

// Kubernetes: pkg/apis/autoscaling/validation.validateMetricSpec, validateMetricTarget, validateExternalSource, validateObjectSource
// Kubernetes: pkg/apis/autoscaling/validation.validatePodsSource, validateResourceSource, validateContainerResourceSource
// Kubernetes: pkg/apis/autoscaling/validation.ValidateCrossVersionObjectReference
type Metric = NonNullable<NonNullable<HorizontalPodAutoscaler['spec']>['metrics']>[number]
type Target = NonNullable<Metric['external']>['target']
type Identifier = NonNullable<Metric['external']>['metric']

const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']
/** In the order in which Kubernetes validates them: of several, only the first is validated. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const
const sourceOf = (type: string) => sources.find((source) => source.toLowerCase() === type.toLowerCase())

function validateMetric(metric: Metric, path: string): FieldError[] {
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

function validateObjectReference(
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

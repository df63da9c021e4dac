// Kubernetes: pkg/apis/autoscaling/validation.ValidateHorizontalPodAutoscaler, ValidateHorizontalPodAutoscalerUpdate
// Kubernetes: pkg/apis/autoscaling/validation.ValidateHorizontalPodAutoscalerStatusUpdate, validateHorizontalPodAutoscalerSpec
// Kubernetes: pkg/apis/autoscaling/validation.validateMetrics, validateBehavior, validateScalingRules, validateScalingPolicy
import { isEqualJson } from '../../../../base/json.ts'
import { declared, type FieldError, forbidden, invalid, required } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import { addNegative, addNegatives } from '../../../machinery/validation/counts.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { notNegativeMessage } from '../../../machinery/validation/names.ts'
import { quantityOf } from '../../../machinery/validation/resources.ts'
import type { HorizontalPodAutoscaler } from '../../../types.ts'
import { validateMetric, validateObjectReference } from './metric-validation.ts'

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

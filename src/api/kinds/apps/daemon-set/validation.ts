// spec.templateGeneration is internal to Kubernetes and not part of apps/v1, so it is not validated.
// Kubernetes: pkg/apis/apps/validation.ValidateDaemonSet, ValidateDaemonSetUpdate, ValidateDaemonSetSpecUpdate
// Kubernetes: pkg/apis/apps/validation.ValidateDaemonSetStatusUpdate, validateDaemonSetStatus, ValidateDaemonSetSpec
// Kubernetes: pkg/apis/apps/validation.ValidateDaemonSetUpdateStrategy, ValidateRollingUpdateDaemonSet
import { type FieldError, invalid, notSupported, required } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import {
  addCollisionCountErrors,
  addDeadlineErrors,
  addIntOrPercentErrors,
  addNegative,
  addNegatives,
  addOver100Percent,
  addThresholdErrors,
  plainNumber,
  shownNumber,
} from '../../../machinery/validation/counts.ts'
import { hasInvalidSelectorValue, validateLabelSelector } from '../../../machinery/validation/metadata.ts'
import { addSelectorChange, isEmptySelector, isSelected } from '../../../machinery/validation/selectors.ts'
import { shownSelector, shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { DaemonSet } from '../../../types.ts'
import { addEndlessTemplateErrors, unmatchedTemplate } from '../../core/pod/template-validation.ts'
import { type PodValidationOptions, podValidationOptions } from '../../core/pod/validation/options.ts'
import { validatePodTemplateSpec } from '../../core/pod/validation.ts'

type DaemonSetSpec = NonNullable<DaemonSet['spec']>

export function validateDaemonSet({ spec }: DaemonSet, { gates }: StrategyContext): FieldError[] {
  return validateSpec(spec, podValidationOptions(gates), false)
}

export function validateDaemonSetUpdate(next: DaemonSet, current: DaemonSet, { gates }: StrategyContext): FieldError[] {
  const errors: FieldError[] = []
  addSelectorChange(errors, next.spec?.selector, current.spec?.selector)
  const options = podValidationOptions(gates, current.spec?.template)
  const allowInvalidValues = options.allowInvalidLabelValueInSelector === true || hasInvalidSelectorValue(current.spec?.selector)
  errors.push(...validateSpec(next.spec, { ...options, allowInvalidLabelValueInSelector: allowInvalidValues }, allowInvalidValues))
  return errors
}

function validateSpec(spec: DaemonSetSpec | undefined, options: PodValidationOptions, allowInvalidValues: boolean): FieldError[] {
  const selector = spec?.selector
  const errors = validateLabelSelector(selector, 'spec.selector', { allowInvalidValues })
  if (isSelected(selector, spec?.template?.metadata?.labels) === false) errors.push(unmatchedTemplate(spec?.template, 'spec.template'))
  if (selector && isEmptySelector(selector))
    errors.push(invalid('spec.selector', shownSelector(selector), 'empty selector is invalid for daemonset'))
  errors.push(...validatePodTemplateSpec(spec?.template ?? {}, 'spec.template', options))
  addEndlessTemplateErrors(errors, spec?.template, 'DaemonSet', 'spec.template')
  addNegative(errors, spec?.minReadySeconds, 'spec.minReadySeconds')
  addStrategyErrors(errors, spec?.updateStrategy, 'spec.updateStrategy')
  addNegative(errors, spec?.revisionHistoryLimit, 'spec.revisionHistoryLimit')
  addDeadlineErrors(errors, spec?.progressDeadlineSeconds, spec?.minReadySeconds ?? 0)
  addThresholdErrors(errors, spec?.operationalThreshold)
  return errors
}

function addStrategyErrors(errors: FieldError[], strategy: DaemonSetSpec['updateStrategy'], path: string): void {
  if (strategy?.type === 'OnDelete') return
  if (strategy?.type !== 'RollingUpdate') {
    errors.push(notSupported(path, shownStruct('apps.DaemonSetUpdateStrategy', strategy ?? {}), ['RollingUpdate', 'OnDelete']))
    return
  }
  if (strategy.rollingUpdate === undefined) {
    errors.push(required(`${path}.rollingUpdate`, ''))
    return
  }
  const { maxUnavailable, maxSurge } = strategy.rollingUpdate
  const unavailablePath = `${path}.rollingUpdate.maxUnavailable`
  const surgePath = `${path}.rollingUpdate.maxSurge`
  addIntOrPercentErrors(errors, maxUnavailable, unavailablePath)
  addIntOrPercentErrors(errors, maxSurge, surgePath)
  addOver100Percent(errors, maxUnavailable, unavailablePath)
  addOver100Percent(errors, maxSurge, surgePath)
  const hasUnavailable = plainNumber(maxUnavailable) !== 0
  const hasSurge = plainNumber(maxSurge) !== 0
  if (hasUnavailable && hasSurge) errors.push(invalid(surgePath, shownNumber(maxSurge), 'may not be set when maxUnavailable is non-zero'))
  else if (!hasUnavailable && !hasSurge) errors.push(required(unavailablePath, 'cannot be 0 when maxSurge is 0'))
}

export function validateDaemonSetStatusUpdate(next: DaemonSet, current: DaemonSet): FieldError[] {
  const errors: FieldError[] = []
  const status: Partial<NonNullable<DaemonSet['status']>> = next.status ?? {}
  addNegatives(errors, status, [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ])
  addCollisionCountErrors(errors, status.collisionCount, current.status?.collisionCount)
  return errors
}

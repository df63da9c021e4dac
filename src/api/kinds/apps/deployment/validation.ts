// Kubernetes: pkg/apis/apps/validation.ValidateDeployment, ValidateDeploymentUpdate, ValidateDeploymentStatusUpdate
// Kubernetes: pkg/apis/apps/validation.ValidateDeploymentStatus, ValidateDeploymentSpec, ValidateDeploymentStrategy
// Kubernetes: pkg/apis/apps/validation.ValidateRollingUpdateDeployment
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../machinery/field-error.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import {
  addCollisionCountErrors,
  addDeadlineErrors,
  addIntOrPercentErrors,
  addLargerThan,
  addNegative,
  addNegatives,
  addOver100Percent,
  addThresholdErrors,
  plainNumber,
  shownNumber,
} from '../../../machinery/validation/counts.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { addRequiredSelectorErrors, addSelectorChange } from '../../../machinery/validation/selectors.ts'
import { shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { Deployment } from '../../../types.ts'
import { addReplicaTemplateErrors } from '../../core/pod/template-validation.ts'
import { type PodValidationOptions, podValidationOptions } from '../../core/pod/validation/options.ts'

type DeploymentSpec = NonNullable<Deployment['spec']>

export function validateDeployment(deployment: Deployment, { gates }: StrategyContext): FieldError[] {
  const errors = validateSpec(deployment.spec, podValidationOptions(gates))
  if (isContradictory(deployment.spec)) errors.push(contradiction())
  return errors
}

export function validateDeploymentUpdate(next: Deployment, current: Deployment, { gates }: StrategyContext): FieldError[] {
  const errors = validateSpec(next.spec, podValidationOptions(gates, current.spec?.template))
  addSelectorChange(errors, next.spec?.selector, current.spec?.selector)
  // An object that was stored before this rule existed can still change its other fields.
  if (isContradictory(next.spec) && !isContradictory(current.spec)) errors.push(contradiction())
  return errors
}

function validateSpec(spec: DeploymentSpec | undefined, options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = []
  addNegative(errors, spec?.replicas, 'spec.replicas')
  addRequiredSelectorErrors(errors, spec?.selector, 'deployment')
  addReplicaTemplateErrors(errors, spec, options)
  addStrategyErrors(errors, spec?.strategy, 'spec.strategy')
  addNegative(errors, spec?.minReadySeconds, 'spec.minReadySeconds')
  addNegative(errors, spec?.revisionHistoryLimit, 'spec.revisionHistoryLimit')
  addDeadlineErrors(errors, spec?.progressDeadlineSeconds, spec?.minReadySeconds ?? 0)
  addUnsupported(errors, spec?.podReplacementPolicy, 'apps.DeploymentSpec.podReplacementPolicy', 'spec.podReplacementPolicy')
  addThresholdErrors(errors, spec?.operationalThreshold)
  return errors
}

/** terminatingAsActive asks for TerminationComplete (the draft of KEP-3939). */
const isContradictory = (spec: DeploymentSpec | undefined) =>
  spec?.podReplacementPolicy === 'TerminationStarted' && spec.terminatingAsActive === true

const contradiction = () => invalid('spec.terminatingAsActive', true, "may not be true when podReplacementPolicy is 'TerminationStarted'")

function addStrategyErrors(errors: FieldError[], strategy: DeploymentSpec['strategy'], path: string): void {
  const rollingUpdate = strategy?.rollingUpdate
  switch (strategy?.type) {
    case 'Recreate':
      if (rollingUpdate !== undefined)
        errors.push(forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'"))
      return
    case 'RollingUpdate': {
      if (rollingUpdate === undefined) {
        errors.push(required(`${path}.rollingUpdate`, 'this should be defaulted and never be nil'))
        return
      }
      const { maxUnavailable, maxSurge } = rollingUpdate
      const unavailablePath = `${path}.rollingUpdate.maxUnavailable`
      addIntOrPercentErrors(errors, maxUnavailable, unavailablePath)
      addIntOrPercentErrors(errors, maxSurge, `${path}.rollingUpdate.maxSurge`)
      if (plainNumber(maxUnavailable) === 0 && plainNumber(maxSurge) === 0)
        errors.push(invalid(unavailablePath, shownNumber(maxUnavailable), 'may not be 0 when `maxSurge` is 0'))
      addOver100Percent(errors, maxUnavailable, unavailablePath)
      return
    }
    default:
      errors.push(notSupported(path, shownStruct('apps.DeploymentStrategy', strategy ?? {}), ['Recreate', 'RollingUpdate']))
  }
}

export function validateDeploymentStatusUpdate(next: Deployment, current: Deployment): FieldError[] {
  const errors: FieldError[] = []
  const status = next.status ?? {}
  addNegatives(errors, status, [
    'observedGeneration',
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
    'terminatingReplicas',
    'collisionCount',
  ])
  const parts = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const
  addLargerThan(errors, status, parts, status.replicas, 'cannot be greater than status.replicas')
  addLargerThan(errors, status, ['availableReplicas'], status.readyReplicas, 'cannot be greater than readyReplicas')
  addCollisionCountErrors(errors, status.collisionCount, current.status?.collisionCount)
  return errors
}

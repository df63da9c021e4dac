// Kubernetes: pkg/registry/apps/deployment.deploymentStrategy.*, deploymentStatusStrategy.*
// Kubernetes: pkg/apis/apps/v1.SetDefaults_Deployment
import { isEqualJson } from '../../../../base/json.ts'
import { dropConditionFields, dropUnless } from '../../../machinery/disabled-fields.ts'
import { fill } from '../../../machinery/fields.ts'
import { isSpecChanged, keepMetadata, keepSpec, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy, StrategyContext } from '../../../machinery/kind.ts'
import type { Deployment, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'
import { dropDisabledTemplateFields } from '../../core/pod/disabled-fields.ts'
import { templateWarnings, workloadNameWarnings } from '../../core/pod/warnings.ts'
import { validateDeployment, validateDeploymentStatusUpdate, validateDeploymentUpdate } from './validation.ts'

export const deploymentStrategy: Strategy<Deployment> = {
  generation: true,
  generationChanges: isChanged,
  defaultSpec: defaultDeployment,
  ...ownStatus('apps.DeploymentStatus', dropDisabled),
  resetFields: { status: { 'f:metadata': { 'f:labels': {} }, 'f:spec': {} } },
  prepareForStatusUpdate(next, current, { gates }) {
    keepSpec(next, current)
    keepMetadata(next, current, ['labels'])
    dropUnless(gates.DeploymentReplicaSetTerminatingReplicas, next.status, current.status, 'terminatingReplicas')
  },
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  validateStatusUpdate: validateDeploymentStatusUpdate,
  warnings(deployment, current) {
    if (current === undefined)
      return [...workloadNameWarnings(deployment.metadata?.name ?? ''), ...templateWarnings('spec.template', deployment.spec?.template)]
    return isChanged(deployment, current) ? templateWarnings('spec.template', deployment.spec?.template) : []
  },
}

/** A change of annotations counts: they are copied to the ReplicaSets. */
function isChanged(next: Deployment, current: Deployment): boolean {
  return isSpecChanged(next, current) || !isEqualJson(next.metadata?.annotations ?? {}, current.metadata?.annotations ?? {})
}

function dropDisabled(next: Writable<Deployment>, current: Deployment | undefined, { gates }: StrategyContext): void {
  dropUnless(gates.DeploymentPodReplacementPolicy, next.spec, current?.spec, 'podReplacementPolicy')
  dropUnless(gates.TerminatingAsActive, next.spec, current?.spec, 'terminatingAsActive')
  dropConditionFields(gates, next.spec, current?.spec)
  dropDisabledTemplateFields(next.spec?.template, current?.spec?.template)
}

/** The fields of KEP-2804 get no default: a spec that does not use the proposal is stored as Kubernetes stores it. */
function defaultDeployment(deployment: Writable<Deployment>): void {
  const spec = fill('apps.DeploymentSpec', deployment.spec, {
    replicas: 1,
    template: {},
    strategy: {},
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  })
  spec.template = defaultPodTemplate(spec.template)
  spec.strategy = fill('apps.DeploymentStrategy', spec.strategy, { type: 'RollingUpdate' })
  if (spec.strategy.type === 'RollingUpdate') {
    spec.strategy = fill('apps.DeploymentStrategy', spec.strategy, { rollingUpdate: {} })
    spec.strategy.rollingUpdate = fill('apps.RollingUpdateDeployment', spec.strategy.rollingUpdate, {
      maxUnavailable: '25%',
      maxSurge: '25%',
    })
  }
  deployment.spec = spec
}

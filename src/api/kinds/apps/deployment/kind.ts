// Kubernetes: pkg/printers/internalversion.printDeployment
// Kubernetes: pkg/registry/apps/deployment.deploymentStrategy.*, deploymentStatusStrategy.*
// Kubernetes: pkg/apis/apps/v1.SetDefaults_Deployment
import { isEqualJson } from '../../../../base/json.ts'
import { ageColumn, columnsOf, containerColumns, nameColumn, selectorCell, selectorColumn, text } from '../../../machinery/columns/cells.ts'
import { dropConditionFields, dropUnless } from '../../../machinery/disabled-fields.ts'
import { fill } from '../../../machinery/fields.ts'
import { isSpecChanged, keepMetadata, keepSpec, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind, StrategyContext } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { Deployment, Writable } from '../../../types.ts'
import { selectorScale } from '../../autoscaling/scale/access.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'
import { dropDisabledTemplateFields } from '../../core/pod/disabled-fields.ts'
import { templateWarnings, workloadNameWarnings } from '../../core/pod/warnings.ts'
import { validateDeployment, validateDeploymentStatusUpdate, validateDeploymentUpdate } from './validation.ts'

export const deployments: Kind<Deployment> = {
  ...resource('apps.Deployment'),
  strategy: {
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
  },
  scale: selectorScale(),
  columns: columnsOf([
    nameColumn,
    text('Ready', 'How many of the wanted pods are ready.', ({ status, spec }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
    text('Up-to-date', 'How many pods have the newest template.', ({ status }) => status?.updatedReplicas ?? 0),
    text('Available', 'How many pods have been ready for long enough.', ({ status }) => status?.availableReplicas ?? 0),
    ageColumn,
    ...containerColumns<Deployment>(({ spec }) => spec?.template?.spec?.containers),
    selectorColumn(deploymentSelector),
  ]),
}

// Unlike for other kinds, an empty selector is printed as an empty cell.
function deploymentSelector({ spec }: Deployment): string {
  const cell = selectorCell(spec?.selector)
  return cell === '<none>' ? '' : cell === '<error>' ? '<invalid>' : cell
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

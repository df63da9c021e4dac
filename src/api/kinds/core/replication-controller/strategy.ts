// Kubernetes: pkg/registry/core/replicationcontroller.rcStrategy.*, rcStatusStrategy.*
// Kubernetes: pkg/apis/core/v1.SetDefaults_ReplicationController
import { dropConditionFields } from '../../../machinery/disabled-fields.ts'
import { fill } from '../../../machinery/fields.ts'
import { isSpecChanged, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { ReplicationController, Writable } from '../../../types.ts'
import { replicaWarnings } from '../../apps/replica-set/strategy.ts'
import { defaultPodTemplate } from '../pod/defaults.ts'
import { dropDisabledTemplateFields } from '../pod/disabled-fields.ts'
import {
  validateReplicationController,
  validateReplicationControllerStatusUpdate,
  validateReplicationControllerUpdate,
} from './validation.ts'

export const replicationControllerStrategy: Strategy<ReplicationController> = {
  names: 'long-name',
  generation: true,
  generationChanges: isSpecChanged,
  defaultPropagation: 'Orphan',
  default: defaultReplicationController,
  ...ownStatus('core.ReplicationControllerStatus', (next, current, { gates }) => {
    dropConditionFields(gates, next.spec, current?.spec)
    dropDisabledTemplateFields(next.spec?.template, current?.spec?.template)
  }),
  validate: validateReplicationController,
  validateUpdate: validateReplicationControllerUpdate,
  validateStatusUpdate: validateReplicationControllerStatusUpdate,
  warnings: replicaWarnings,
}

function defaultReplicationController(controller: Writable<ReplicationController>): void {
  const labels = controller.spec?.template?.metadata?.labels
  const selector = controller.spec?.selector
  const named = selector !== undefined && Object.keys(selector).length > 0
  const spec = fill('core.ReplicationControllerSpec', controller.spec, {
    replicas: 1,
    ...(!named && labels !== undefined && { selector: { ...labels } }),
  })
  if (spec.template) spec.template = defaultPodTemplate(spec.template)
  controller.spec = spec
  if (labels !== undefined) controller.metadata = fill('meta.ObjectMeta', controller.metadata, { labels: { ...labels } })
}

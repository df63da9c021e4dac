import { dropConditionFields } from '../../../machinery/disabled-fields.ts'
import { isSpecChanged, keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { ReplicationController } from '../../../types.ts'
import { replicaWarnings } from '../../apps/replica-set/strategy.ts'
import { dropDisabledTemplateFields } from '../pod/disabled-fields.ts'
import { defaultReplicationController } from './defaults.ts'
import {
  validateReplicationController,
  validateReplicationControllerStatusUpdate,
  validateReplicationControllerUpdate,
} from './validation.ts'

export const replicationControllerStrategy: Strategy<ReplicationController> = {
  names: 'dns-subdomain',
  generation: true,
  generationChanges: isSpecChanged,
  defaultPropagation: 'Orphan',
  default: defaultReplicationController,
  prepareForCreate(controller, { gates }) {
    controller.status = { replicas: 0 }
    dropConditionFields(gates, controller.spec)
    dropDisabledTemplateFields(controller.spec?.template)
  },
  prepareForUpdate(next, current, { gates }) {
    keepStatus(next, current)
    dropConditionFields(gates, next.spec, current.spec)
    dropDisabledTemplateFields(next.spec?.template, current.spec?.template)
  },
  prepareForStatusUpdate: keepSpec,
  validate: validateReplicationController,
  validateUpdate: validateReplicationControllerUpdate,
  validateStatusUpdate: validateReplicationControllerStatusUpdate,
  warnings: replicaWarnings,
}

import { labelsCell } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { ReplicationController } from '../../../types.ts'
import { replicaColumns } from '../../apps/replica-set/columns.ts'
import { replicationControllerScale } from './scale.ts'
import { replicationControllerTypes } from './schema.ts'
import { replicationControllerStrategy } from './strategy.ts'

export const replicationControllers: Kind<ReplicationController> = {
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  type: 'core.ReplicationController',
  types: replicationControllerTypes,
  strategy: replicationControllerStrategy,
  subresources: { status: true, scale: replicationControllerScale },
  selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  columns: replicaColumns(({ spec }) => labelsCell(spec?.selector)),
  unknownFieldMessage: unsupportedField,
}

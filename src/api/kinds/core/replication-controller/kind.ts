// Kubernetes: pkg/printers/internalversion.printReplicationController
// Kubernetes: pkg/registry/core/replicationcontroller.ControllerToSelectableFields
// Kubernetes: pkg/registry/core/replicationcontroller/storage.ScaleREST.*
import { formatRequirements, selectorRequirements } from '../../../../base/label-selector.ts'
import { labelsCell } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { ReplicationController } from '../../../types.ts'
import { replicaColumns } from '../../apps/replica-set/columns.ts'
import { setReplicas } from '../../autoscaling/scale/access.ts'
import { replicationControllerStrategy } from './strategy.ts'

export const replicationControllers: Kind<ReplicationController> = {
  ...resource('core.ReplicationController'),
  strategy: replicationControllerStrategy,
  scale: {
    replicas: ({ spec }) => spec?.replicas ?? 0,
    statusReplicas: ({ status }) => status?.replicas ?? 0,
    selector: ({ spec }) => formatRequirements(selectorRequirements({ matchLabels: spec?.selector ?? {} }) ?? []),
    setReplicas,
  },
  selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  columns: replicaColumns(({ spec }) => labelsCell(spec?.selector)),
  unknownFieldMessage: unsupportedField,
}

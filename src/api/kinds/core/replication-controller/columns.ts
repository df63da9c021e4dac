import { ageOf, containerCells, labelsCell, nameOf } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ReplicationController } from '../../../types.ts'
import { replicaDefinitions } from '../../apps/replica-set/columns.ts'

export const replicationControllerColumns: Columns<ReplicationController> = {
  definitions: replicaDefinitions,
  cells: (controller, nowMs) => [
    nameOf(controller),
    controller.spec?.replicas ?? 0,
    controller.status?.replicas ?? 0,
    controller.status?.readyReplicas ?? 0,
    ageOf(controller, nowMs),
    ...containerCells(controller.spec?.template?.spec?.containers),
    labelsCell(controller.spec?.selector),
  ],
}

// Kubernetes: pkg/printers/internalversion.printReplicaSet
import { ageColumn, columnsOf, containerColumns, integer, nameColumn, selectorColumn } from '../../../machinery/columns/cells.ts'
import type { ReplicaSet, ReplicationController } from '../../../types.ts'

/** The columns of ReplicaSets and ReplicationControllers, whose selectors differ. */
export const replicaColumns = <T extends ReplicaSet | ReplicationController>(selectorCellOf: (object: T) => string) =>
  columnsOf<T>([
    nameColumn,
    integer('Desired', 'How many pods are wanted.', ({ spec }) => spec?.replicas ?? 0),
    integer('Current', 'How many pods there are.', ({ status }) => status?.replicas ?? 0),
    integer('Ready', 'How many pods are ready.', ({ status }) => status?.readyReplicas ?? 0),
    ageColumn,
    ...containerColumns<T>(({ spec }) => spec?.template?.spec?.containers),
    selectorColumn(selectorCellOf),
  ])

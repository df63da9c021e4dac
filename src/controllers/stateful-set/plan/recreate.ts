// The update strategy Recreate (gate StatefulSetRecreateStrategy): all pods of older revisions terminate before a new pod is created.
// Kubernetes: pkg/controller/statefulset.defaultStatefulSetControl.recreateDeleteAndWait, setProgressingCondition, completeUpdate
import type { Pod, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import type { WorkloadCondition } from '../../shared/plan/operational.ts'
import { withCondition } from '../../shared/plan/progressing.ts'
import { revisionOf } from './identity.ts'
import type { Places } from './replicas.ts'
import type { StatefulSetSnapshot } from './snapshot.ts'

export const isRecreate = ({ set }: Pick<StatefulSetSnapshot, 'set'>) => set.spec?.updateStrategy?.type === 'Recreate'

/** The set was stored while the gate was on: its pods are left as they are. */
export const isRecreateDisabled = (snapshot: Pick<StatefulSetSnapshot, 'set' | 'gates'>) =>
  isRecreate(snapshot) && !snapshot.gates.StatefulSetRecreateStrategy

/** The pods of older revisions, terminating ones included. While there is one, none is created. */
export function outdatedPods(snapshot: StatefulSetSnapshot, { replicas, condemned }: Places): readonly Stored<Pod>[] {
  if (!isRecreate(snapshot)) return []
  const all = [...replicas.flatMap(({ pod }) => (pod === undefined ? [] : [pod])), ...condemned]
  return all.filter((pod) => pod.status?.phase !== undefined && revisionOf(pod) !== snapshot.update.name)
}

/** Kubernetes' Progressing condition of such a set, where KEP-2804's is off. Without an update there is none. */
export function withRecreateCondition(
  snapshot: StatefulSetSnapshot,
  places: Places,
  isRolledOut: boolean,
): readonly WorkloadCondition[] | undefined {
  const { set, current, update, nowMs } = snapshot
  const conditions = set.status?.conditions
  const before = conditions?.find(({ type }) => type === 'Progressing')
  const next = (() => {
    if (!isRecreate(snapshot) || set.metadata.deletionTimestamp !== undefined) return undefined
    if (outdatedPods(snapshot, places).length > 0) return ['True', 'RecreateInProgress', 'Deleting old revision pods'] as const
    if (isRolledOut && (before !== undefined || current.name !== update.name))
      return ['False', 'RecreateCompleted', 'All pods recreated successfully'] as const
    if (current.name !== update.name) return ['True', 'RecreateInProgress', 'Waiting for new-revision pods to be created'] as const
    return undefined
  })()
  if (next === undefined) return conditions
  const [status, reason, message] = next
  if (before?.status === status && before.reason === reason && before.message === message) return conditions
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : formatTime(nowMs)
  return withCondition(conditions ?? [], {
    type: 'Progressing',
    status,
    ...(lastTransitionTime !== undefined && { lastTransitionTime }),
    reason,
    message,
  })
}

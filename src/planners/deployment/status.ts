// The status of a Deployment: what its sets say, added up.
import type { ReplicaSet, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { nextOperational } from '../conditions/operational.ts'
import { totalTerminating } from './capacity.ts'
import { type Conditions, type DeploymentStatus, withCondition, withState } from './conditions.ts'
import { maxUnavailable, replicasOf } from './fenceposts.ts'
import { statusReplicas, sum, totalAvailable, totalSize } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

export interface StatusSource {
  readonly snapshot: DeploymentSnapshot
  readonly settings: DeploymentSettings
  /** As they will be when the plan is carried out; the status of each is what it has reported. */
  readonly sets: readonly ReplicaSet[]
  readonly newSet: ReplicaSet | Stored<ReplicaSet> | undefined
  /** As they stand so far. */
  readonly conditions: Conditions
  readonly now: number
}

/** Counts of zero are left out, as Kubernetes does, but for the terminating ones: absent means that they are not known. */
export function nextStatus({ snapshot, settings, sets, newSet, conditions, now }: StatusSource): DeploymentStatus {
  const { deployment, gates } = snapshot
  const available = totalAvailable(sets)
  const terminating = gates.DeploymentReplicaSetTerminatingReplicas ? totalTerminating(sets, snapshot) : undefined
  const counts = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum(sets, statusReplicas),
    updatedReplicas: newSet === undefined ? 0 : statusReplicas(newSet),
    readyReplicas: sum(sets, ({ status }) => status?.readyReplicas ?? 0),
    availableReplicas: available,
    // While scaling down more may be available than are wanted.
    unavailableReplicas: Math.max(0, totalSize(sets) - available),
  }
  const isAvailable = available >= replicasOf(deployment) - maxUnavailable(deployment)
  let next = isAvailable
    ? withState(conditions, 'Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
    : withState(conditions, 'Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.', now)
  if (gates.ExtendedWorkloadConditions) {
    const desired = replicasOf(deployment)
    const time = formatTime(now)
    const input = { kind: 'Deployment', desired, available, threshold: settings.operationalThreshold, now: time }
    next = withCondition(next, { ...nextOperational(next, input), lastUpdateTime: time })
  }
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    conditions: [...next],
    ...(deployment.status?.collisionCount !== undefined && { collisionCount: deployment.status.collisionCount }),
  }
}

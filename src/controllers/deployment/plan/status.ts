// The status of a Deployment: the sum of the statuses of its ReplicaSets.
// Kubernetes: pkg/controller/deployment.calculateStatus
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { isOperational, operational, operationalMessage, operationalReason } from '../../shared/plan/operational.ts'
import type { Account } from './capacity.ts'
import { type Conditions, type DeploymentStatus, withConditionState } from './conditions.ts'
import { maxUnavailable, replicasOf } from './fenceposts.ts'
import { readyReplicas, statusReplicas, sum, totalAvailable, totalSize } from './replica-sets.ts'
import { replicasOwed } from './scale-state.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

interface StatusSource {
  readonly snapshot: DeploymentSnapshot
  readonly settings: DeploymentSettings
  readonly account: Account
  /** The ReplicaSets as they are after the plan was applied, with their current status. */
  readonly sets: readonly ReplicaSet[]
  readonly newSet: ReplicaSet | Stored<ReplicaSet> | undefined
  /** The conditions so far. */
  readonly conditions: Conditions
  readonly now: number
}

/** As in Kubernetes, counts of 0 are left out, except terminatingReplicas: there, absent means unknown. */
export function nextStatus({ snapshot, settings, account, sets, newSet, conditions, now }: StatusSource): DeploymentStatus {
  const { deployment, gates } = snapshot
  const available = totalAvailable(sets)
  const terminating = gates.DeploymentReplicaSetTerminatingReplicas ? account.terminating : undefined
  const isAvailable = available >= replicasOf(deployment) - maxUnavailable(deployment)
  let next = isAvailable
    ? withConditionState(conditions, 'Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
    : withConditionState(
        conditions,
        'Available',
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
        now,
      )
  if (gates.ExtendedWorkloadConditions) {
    const isTrue = isOperational({ desired: replicasOf(deployment), available, threshold: settings.operationalThreshold })
    const status = isTrue ? 'True' : 'False'
    next = withConditionState(next, operational, status, operationalReason(isTrue), operationalMessage(isTrue, 'Deployment'), now)
  }
  const status: { -readonly [Field in keyof DeploymentStatus]: DeploymentStatus[Field] } = {}
  const count = (field: Count, value: number) => {
    if (value !== 0) status[field] = value
  }
  count('observedGeneration', deployment.metadata.generation ?? 0)
  count('replicas', sum(sets, statusReplicas))
  count('updatedReplicas', newSet === undefined ? 0 : statusReplicas(newSet))
  count('readyReplicas', sum(sets, readyReplicas))
  count('availableReplicas', available)
  // While scaling down, more may be available than requested. Pods count that will be created when there is room for them.
  const wanted = settings.policy === 'TerminationComplete' ? replicasOf(deployment) : 0
  count('unavailableReplicas', Math.max(0, Math.max(wanted, totalSize(sets) + replicasOwed(deployment, sets)) - available))
  if (terminating !== undefined) status.terminatingReplicas = terminating
  status.conditions = next
  if (deployment.status?.collisionCount !== undefined) status.collisionCount = deployment.status.collisionCount
  return status
}

type Count = 'observedGeneration' | 'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas' | 'unavailableReplicas'

// The event and the status when a new ReplicaSet could not be created.
// Kubernetes: pkg/controller/deployment.DeploymentController.getNewReplicaSet
import type { Deployment, Stored } from '../../../api/types.ts'
import { progressReasons, withConditionState } from './conditions.ts'
import { hasProgressDeadline } from './progress.ts'
import type { PlannedEvent } from './snapshot.ts'

/** Another ReplicaSet has the name: the next attempt uses another hash. */
export function withCollision(deployment: Stored<Deployment>): Stored<Deployment> {
  return { ...deployment, status: { ...deployment.status, collisionCount: (deployment.status?.collisionCount ?? 0) + 1 } }
}

interface CreateFailure {
  readonly event: PlannedEvent
  /** The status to write; absent without a progress deadline. */
  readonly status?: Stored<Deployment>
}

export function planCreateFailure(deployment: Stored<Deployment>, name: string, why: string, now: number): CreateFailure {
  const reason = progressReasons.createFailed
  const message = `Failed to create new replica set "${name}": ${why}`
  const event: PlannedEvent = { type: 'Warning', reason, message }
  if (!hasProgressDeadline(deployment)) return { event }
  const current = deployment.status?.conditions ?? []
  const conditions = withConditionState(current, 'Progressing', 'False', reason, message, now)
  if (conditions === current) return { event }
  return { event, status: { ...deployment, status: { ...deployment.status, conditions: [...conditions] } } }
}

// What the Deployment says when its new set could not be made.
import type { Deployment, Stored } from '../../../api/types.ts'
import { progressReasons, withState } from './conditions.ts'
import { hasProgressDeadline } from './progress.ts'
import type { PlannedEvent } from './snapshot.ts'

/** Another object has the name of the new set: the hash is counted on, and the next one has another name. */
export function withCollision(deployment: Stored<Deployment>): Stored<Deployment> {
  return { ...deployment, status: { ...deployment.status, collisionCount: (deployment.status?.collisionCount ?? 0) + 1 } }
}

export interface CreateFailure {
  readonly event: PlannedEvent
  /** What to write to the status; absent where nobody watches the progress. */
  readonly status?: Stored<Deployment>
}

export function planCreateFailure(deployment: Stored<Deployment>, name: string, why: string, now: number): CreateFailure {
  const reason = progressReasons.createFailed
  const message = `Failed to create new replica set "${name}": ${why}`
  const event: PlannedEvent = { type: 'Warning', reason, message }
  if (!hasProgressDeadline(deployment)) return { event }
  const current = deployment.status?.conditions ?? []
  const conditions = withState(current, 'Progressing', 'False', reason, message, now)
  if (conditions === current) return { event }
  return { event, status: { ...deployment, status: { ...deployment.status, conditions: [...conditions] } } }
}

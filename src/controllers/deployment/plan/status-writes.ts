// Whether a sync writes the status of its Deployment, or leaves it to the next one.
// Ours: one status for a sync and for the one that follows it.
import type { Deployment, Stored } from '../../../api/types.ts'
import type { DeploymentPlan } from './snapshot.ts'

/**
 * A sync that only resizes ReplicaSets leaves the status to the one that begins when the cache has observed them, as otherwise each step of a
 * rollout would write it twice. A new generation is acknowledged at once.
 */
export function leavesStatus({ actions }: DeploymentPlan, { metadata, status }: Stored<Deployment>): boolean {
  const isAcknowledged = status?.observedGeneration === metadata.generation
  return isAcknowledged && actions.every(({ action }) => action === 'update-set') && actions.some((one) => 'event' in one && one.event)
}

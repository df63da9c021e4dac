// Whether a workload is as it was asked for. Pure.
import type { TracedCondition, TracedWorkload } from './trace.ts'

/** As `kubectl rollout status` sees it. */
export function isAllAvailable(traced: TracedWorkload): boolean {
  if (traced.kind === 'Job') return true
  const { replicas, updatedReplicas, availableReplicas, totalReplicas = updatedReplicas } = traced
  if (traced.observedGeneration < traced.generation) return false
  // A paused rollout goes no further.
  if (traced.isPaused) return totalReplicas >= replicas && availableReplicas === totalReplicas
  const isUpdated = updatedReplicas >= replicas - (traced.keepsOld?.pods ?? 0)
  return isUpdated && totalReplicas === replicas && availableReplicas === replicas
}

/** Also of a Job that has failed: it goes no further. */
export function isCalledComplete({ kind, conditions, isPaused = false }: TracedWorkload, isAvailable: boolean): boolean {
  if (kind === 'Job') return conditions.some(({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'))
  if (!isAvailable) return false
  const progress = conditions.find(({ type }) => type === 'Progressing')
  // Without a deadline there is no such condition.
  return kind !== 'Deployment' || isPaused || progress === undefined || progress.reason === 'NewReplicaSetAvailable'
}

/** The condition by which a Job has failed. */
export const failureOf = ({ kind, conditions }: TracedWorkload): TracedCondition | undefined =>
  kind === 'Job' ? conditions.find(({ type, status }) => type === 'Failed' && status === 'True') : undefined

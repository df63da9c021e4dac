// The conditions of a Deployment, updated with the rules of Kubernetes.
// Kubernetes: pkg/controller/deployment/util.NewDeploymentCondition, SetDeploymentCondition, RemoveDeploymentCondition
// Kubernetes: pkg/controller/deployment/util.ReplicaSetToDeploymentCondition
import type { Deployment } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'

export type DeploymentStatus = NonNullable<Deployment['status']>
export type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number]
export type Conditions = readonly DeploymentCondition[]

export const progressReasons = {
  replicaSetUpdated: 'ReplicaSetUpdated',
  createFailed: 'ReplicaSetCreateError',
  newSetCreated: 'NewReplicaSetCreated',
  newSetFound: 'FoundNewReplicaSet',
  newSetAvailable: 'NewReplicaSetAvailable',
  timedOut: 'ProgressDeadlineExceeded',
  paused: 'DeploymentPaused',
  resumed: 'DeploymentResumed',
} as const

export function newCondition(
  type: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  now: number,
): DeploymentCondition {
  const time = formatTime(now)
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message }
}

export function conditionOf(conditions: Conditions | undefined, type: string | undefined): DeploymentCondition | undefined {
  if (conditions === undefined) return undefined
  for (const condition of conditions) if (condition.type === type) return condition
  return undefined
}

export const withoutCondition = (conditions: Conditions, type: string | undefined): Conditions =>
  conditions.some((condition) => condition.type === type) ? conditions.filter((condition) => condition.type !== type) : conditions

/** A condition with the same status and reason is not changed; one with the same status keeps its lastTransitionTime. */
export function withDeploymentCondition(conditions: Conditions, condition: DeploymentCondition): Conditions {
  const current = conditionOf(conditions, condition.type)
  if (current !== undefined && current.status === condition.status && current.reason === condition.reason) return conditions
  const lastTransitionTime = (current?.status === condition.status ? current : condition)?.lastTransitionTime
  return [
    ...withoutCondition(conditions, condition.type),
    { ...condition, ...(lastTransitionTime !== undefined && { lastTransitionTime }) },
  ]
}

/** The same, but the condition is created only if it changes something, which is rare. */
export function withConditionState(
  conditions: Conditions,
  type: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  now: number,
): Conditions {
  const current = conditionOf(conditions, type)
  if (current?.status === status && current.reason === reason) return conditions
  return withDeploymentCondition(conditions, newCondition(type, status, reason, message, now))
}

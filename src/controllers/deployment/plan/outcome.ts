// Turns the result of a step into writes: each ReplicaSet once, then the status.
// Kubernetes: pkg/controller/deployment.DeploymentController.scaleReplicaSet, DeploymentController.syncDeploymentStatus
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import { isEqualJson } from '../../../base/json.ts'
import { invalidAnnotationReason } from '../../shared/plan/annotations.ts'
import { stuckAtMs } from '../../shared/plan/pod-state.ts'
import { earliest } from '../../shared/plan/requeue.ts'
import {
  annotationOf,
  changedAnnotations,
  countOf,
  maxReplicasAnnotation,
  replicasBeforeScaleAnnotation,
  revisionAnnotation,
  unreportedReplicasAnnotation,
} from './annotations.ts'
import { terminatingPods } from './capacity.ts'
import { type Conditions, conditionOf, type DeploymentStatus, progressReasons, withConditionState } from './conditions.ts'
import { hasProgressDeadline, isComplete, nextProgressCheck, nextRolloutConditions } from './progress.ts'
import { reasonsFor } from './reasons.ts'
import { sizeOf } from './replica-sets.ts'
import type { DeploymentAction, DeploymentPlan, PlannedEvent } from './snapshot.ts'
import { nextStatus } from './status.ts'
import { allSets, type Step, type StepResult } from './step.ts'
import { findTerminationWait, withWait } from './termination-wait.ts'

/** When to requeue if the number of pods is unknown. Usually the status of a ReplicaSet changes before. */
const unknownCountRequeueMs = 5000

export function planOutcome(step: Step, result: StepResult): DeploymentPlan {
  const { snapshot, settings, account, now } = step
  const { deployment } = snapshot
  const { actions, sets, newSet } = changesOf(step, result)
  const { stuck } = account
  const counted = statusAfter(step, result, sets, newSet)
  const wait = findTerminationWait({ snapshot, settings, account, sets, newSet, status: counted })
  const status = withConditions(counted, withWait(counted.conditions ?? [], wait))
  const written = withStatus(deployment, status, newSet)
  const requeueAtMs = earliest(
    allowsNextStep(step, status, sets) ? now : undefined,
    result.isRollout ? nextProgressCheck(deployment, status, settings, account) : undefined,
    isCountUnknown(step) ? now + unknownCountRequeueMs : undefined,
    nextStuckAt(step, sets),
  )
  return {
    actions,
    ...(settings.policy !== undefined && (isGrowth(step, sets) || isCompletion(deployment, status)) && { needsAllPods: true }),
    events: problemEvents(step),
    reasons: reasonsFor(step, sets, wait),
    ...(written !== undefined && { status: written }),
    ...(requeueAtMs !== undefined && { requeueAtMs }),
    ...(wait !== undefined && { wait }),
    ...(stuck.length > 0 && { stuck }),
  }
}

/**
 * Whether the next sync may act on this status: it cleans up the history of a Deployment that has become complete, and scales a ReplicaSet
 * without the annotation of the last scale from the reported number of replicas.
 */
function allowsNextStep({ snapshot, settings, account }: Step, status: DeploymentStatus, sets: readonly ReplicaSet[]): boolean {
  const { deployment } = snapshot
  // An API server may not store the count of terminating pods.
  const before = { terminatingReplicas: status.terminatingReplicas, ...deployment.status } as DeploymentStatus
  if (isComplete(deployment, status, settings, account) && !isComplete(deployment, before, settings, account)) return true
  return status.replicas !== deployment.status?.replicas && sets.some((set) => !countOf(set, maxReplicasAnnotation))
}

/**
 * Under TerminationComplete nothing is scaled up while a ReplicaSet does not report its terminating pods, and less while it does not report
 * pods that it has adopted.
 */
const isCountUnknown = ({ settings, account }: Step): boolean =>
  settings.policy === 'TerminationComplete' &&
  (account.terminating === undefined || [...account.sets.values()].some(({ unreported }) => unreported > 0))

/** Whether a ReplicaSet grows or is created. Even one of size 0 changes which pods exist: it adopts orphans, and deletes them. */
function isGrowth({ snapshot }: Step, sets: readonly ReplicaSet[]): boolean {
  const before = new Map<string | undefined, number>(snapshot.replicaSets.map((set) => [set.metadata.uid, sizeOf(set)]))
  return sets.some((set) => sizeOf(set) > (before.get(set.metadata?.uid) ?? -1))
}

/** Whether the rollout of this generation is called complete for the first time. */
function isCompletion({ status: before }: Deployment, status: DeploymentStatus): boolean {
  const isCalledComplete = ({ conditions }: DeploymentStatus) =>
    conditionOf(conditions, 'Progressing')?.reason === progressReasons.newSetAvailable
  if (!isCalledComplete(status)) return false
  return before === undefined || !isCalledComplete(before) || status.observedGeneration !== before.observedGeneration
}

/** When the next terminating pod stops holding room because of the timeout. */
function nextStuckAt({ snapshot, settings, now }: Step, sets: readonly ReplicaSet[]): number | undefined {
  const { policy, stuckTerminationTimeoutMs } = settings
  if (policy !== 'TerminationComplete' || stuckTerminationTimeoutMs === undefined) return undefined
  let next = Number.POSITIVE_INFINITY
  for (const pod of terminatingPods(sets, snapshot)) {
    const atMs = stuckAtMs(pod, stuckTerminationTimeoutMs)
    if (atMs > now && atMs < next) next = atMs
  }
  return next === Number.POSITIVE_INFINITY ? undefined : next
}

/** The writes, and the sets as they are after them. */
function changesOf({ snapshot: { replicaSets }, sorted, scale }: Step, { created, changed = [], deleted = [] }: StepResult) {
  const next = new Map(allSets(sorted).map((set) => [set.metadata.uid, set]))
  // Scaled ReplicaSets first, in their order; then those that only follow the Deployment.
  const order = new Set((scale === 'superseded' ? sorted.oldSets : changed).map(({ metadata }) => metadata.uid))
  for (const set of changed) next.set(set.metadata.uid, set)
  for (const uid of next.keys()) order.add(uid)
  const before = new Map(replicaSets.map((set) => [set.metadata.uid, set]))
  const isDeleted = new Set(deleted.map(({ metadata }) => metadata.uid))

  const actions: DeploymentAction[] = []
  for (const uid of order) {
    const [from, to] = [before.get(uid)!, next.get(uid)!]
    if (from !== to && !isDeleted.has(uid)) actions.push(updateAction(from, to))
  }
  if (created !== undefined) actions.splice(scale === 'superseded' ? actions.length : 0, 0, createAction(created))
  for (const replicaSet of deleted) actions.push({ action: 'delete-set', replicaSet: before.get(replicaSet.metadata.uid)! })
  const newSet: ReplicaSet | undefined = created ?? (sorted.newSet && next.get(sorted.newSet.metadata.uid))
  const sets: readonly ReplicaSet[] = created === undefined ? [...next.values()] : [...next.values(), created]
  return { actions, sets, newSet }
}

const scaled = (name: string | undefined, from: number, to: number): PlannedEvent => ({
  type: 'Normal',
  reason: 'ScalingReplicaSet',
  message: `Scaled ${from < to ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`,
})

function createAction(replicaSet: ReplicaSet): DeploymentAction {
  const size = sizeOf(replicaSet)
  return { action: 'create-set', replicaSet, ...(size > 0 && { event: scaled(replicaSet.metadata?.name, 0, size) }) }
}

function updateAction(from: Stored<ReplicaSet>, to: Stored<ReplicaSet>): DeploymentAction {
  const [before, after] = [sizeOf(from), sizeOf(to)]
  return { action: 'update-set', replicaSet: to, ...(before !== after && { event: scaled(to.metadata.name, before, after) }) }
}

function statusAfter(step: Step, result: StepResult, sets: readonly ReplicaSet[], newSet: ReplicaSet | undefined): DeploymentStatus {
  const { snapshot, settings, account, now } = step
  const { deployment } = snapshot
  const conditions = result.created === undefined ? step.conditions : withCreated(deployment, step.conditions, result.created, now)
  const status = nextStatus({ snapshot, settings, account, sets, newSet, conditions, now })
  if (!result.isRollout) return status
  return withConditions(status, nextRolloutConditions({ snapshot, settings, newSet, sets, conditions, status, account, now }))
}

const withConditions = (status: DeploymentStatus, conditions: Conditions): DeploymentStatus =>
  status.conditions === conditions ? status : { ...status, conditions }

function withCreated(deployment: Deployment, conditions: Conditions, created: ReplicaSet, now: number): Conditions {
  if (!hasProgressDeadline(deployment)) return conditions
  const message = `Created new replica set "${created.metadata?.name}"`
  return withConditionState(conditions, 'Progressing', 'True', progressReasons.newSetCreated, message, now)
}

/** The Deployment gets the revision of its new ReplicaSet, and loses annotations that belong on ReplicaSets. */
function withStatus(
  deployment: Stored<Deployment>,
  status: DeploymentStatus,
  newSet: ReplicaSet | undefined,
): Stored<Deployment> | undefined {
  const revision = newSet === undefined ? undefined : annotationOf(newSet, revisionAnnotation)
  const annotations = changedAnnotations(deployment.metadata.annotations, {
    [replicasBeforeScaleAnnotation]: undefined,
    [unreportedReplicasAnnotation]: undefined,
    ...(revision !== undefined && { [revisionAnnotation]: revision }),
  })
  if (annotations === deployment.metadata.annotations && isEqualJson(deployment.status ?? {}, status)) return undefined
  return { ...deployment, metadata: { ...deployment.metadata, ...(annotations !== undefined && { annotations }) }, status }
}

/** Recorded once for each generation. */
function problemEvents({ snapshot, settings }: Step): readonly PlannedEvent[] {
  const { metadata, status } = snapshot.deployment
  if (settings.problems.length === 0 || (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0)) return []
  return settings.problems.map((message) => ({ type: 'Warning', reason: invalidAnnotationReason, message }))
}

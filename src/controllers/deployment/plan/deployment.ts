// Plans one sync of a Deployment: the writes, and when to requeue it. A sync takes the same step that it takes in Kubernetes.
// Kubernetes: pkg/controller/deployment.DeploymentController.syncDeployment, DeploymentController.sync
// Kubernetes: pkg/controller/deployment.DeploymentController.isScalingEvent, DeploymentController.syncStatusOnly
// Kubernetes: pkg/controller/deployment.DeploymentController.rolloutRolling
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import { stuckAtMs } from '../../shared/plan/pod-state.ts'
import { nextRevision, revisionOf } from './annotations.ts'
import { accountOf } from './capacity.ts'
import { type Conditions, conditionOf, progressReasons, withConditionState } from './conditions.ts'
import { isRollingUpdate } from './fenceposts.ts'
import { planCleanup } from './history.ts'
import { emptySet, syncedNewSet, withCarriedSettings } from './new-set.ts'
import { planOutcome } from './outcome.ts'
import { hasProgressDeadline, isComplete, nextPauseConditions } from './progress.ts'
import { isWaitingForOldPods, nextRecreatedSize } from './recreate.ts'
import { maxRevision, type SortedSets, sizeOf, sortSets, totalSize } from './replica-sets.ts'
import { resized, withCurrentMax, withoutBase, withoutPendingScale } from './resized.ts'
import { planRollback, rollbackRevision as requestedRollback } from './rollback.ts'
import { nextNewSize, planScaleDownOld } from './rolling.ts'
import { planFilling, planScale } from './scale.ts'
import { scaleStateOf } from './scale-state.ts'
import { type DeploymentSettings, settingsOf } from './settings.ts'
import type { DeploymentPlan, DeploymentSnapshot } from './snapshot.ts'
import { allSets, type Step, type StepResult } from './step.ts'
import { keptAsActive, snapshotFor } from './switched-off.ts'

export function planDeployment(given: DeploymentSnapshot, now: number): DeploymentPlan {
  const { deployment } = given
  if (isSelectingAll(deployment)) return planSelectingAll(deployment)
  const settings = settingsOf(deployment, given.gates)
  // Without a policy only the statuses of the ReplicaSets count, as in Kubernetes: no pods of deleted ones, and none that they have not reported.
  const reported = { ...given, strays: [], orphans: [], podCountOf: () => 0 }
  const snapshot = withStuck(settings.policy === undefined ? reported : given, settings, now)
  const isDeploymentDeleted = deployment.metadata.deletionTimestamp !== undefined
  const kept = keptAsActive(snapshot, settings)
  const sets = isDeploymentDeleted ? snapshot.replicaSets : setsWithSettings(snapshot, kept)
  const account = accountOf(snapshot, sets)
  const { newSet, oldSets } = sortSets(deployment, sets)
  const revision = nextRevision(maxRevision(oldSets))
  if (isDeploymentDeleted) {
    const conditions = deployment.status?.conditions ?? []
    const sorted = { newSet, oldSets }
    return planOutcome({ snapshot, settings, account, now, sorted, revision, conditions, scale: 'none' }, { isRollout: false })
  }
  const scale = scaleStateOf(deployment, { newSet, oldSets })
  const sorted = { oldSets, newSet: newSet === undefined ? undefined : syncedNewSet(snapshotFor(newSet, snapshot, kept), newSet, revision) }
  const conditions = startingConditions(snapshot, sorted, now)
  const step: Step = { snapshot, settings, account, now, sorted, revision, conditions, scale }
  if (deployment.spec?.paused === true) return planOutcome(step, planPaused(step))
  const rollback = requestedRollback(deployment)
  if (rollback !== undefined) return planRequestedRollback(step, rollback)
  // Kubernetes does not check progress while it scales. Under TerminationComplete a scale may have to wait, so it is checked.
  if (scale === 'pending')
    return planOutcome(step, { isRollout: settings.policy === 'TerminationComplete', changed: planScale(step, sorted) })
  const endScale = (set: Stored<ReplicaSet>) =>
    scale === 'superseded' ? withoutPendingScale(set, step) : withoutBase(withCurrentMax(set, step))
  const rolling: Step = { ...step, sorted: { newSet: sorted.newSet && endScale(sorted.newSet), oldSets: oldSets.map(endScale) } }
  return planOutcome(rolling, isRollingUpdate(deployment) ? planRolling(rolling) : planRecreate(rolling))
}

/**
 * Whether the next step of a Deployment whose status was written stays the same: the generation that was observed, the number of name
 * collisions and the state of the rollout decide it. Other fields do so only where the plan asks for another sync.
 */
export function isSettledStatus({ status: current }: Deployment, { status: previous }: Deployment): boolean {
  const reasonOf = (status: Deployment['status']) => conditionOf(status?.conditions, 'Progressing')?.reason
  return (
    current?.observedGeneration === previous?.observedGeneration &&
    current?.collisionCount === previous?.collisionCount &&
    reasonOf(current) === reasonOf(previous)
  )
}

/** Without TerminationComplete terminating pods hold no room anyway. */
export function withStuck(
  snapshot: DeploymentSnapshot,
  { policy, stuckTerminationTimeoutMs }: DeploymentSettings,
  now: number,
): DeploymentSnapshot {
  if (policy !== 'TerminationComplete' || stuckTerminationTimeoutMs === undefined) return snapshot
  return { ...snapshot, isStuck: (pod) => stuckAtMs(pod, stuckTerminationTimeoutMs) <= now }
}

const isSelectingAll = ({ spec }: Deployment) =>
  spec?.selector !== undefined && Object.keys(spec.selector.matchLabels ?? {}).length + (spec.selector.matchExpressions?.length ?? 0) === 0

/** Validation rejects such a selector, but it may have been stored by an old API server. */
function planSelectingAll(deployment: Stored<Deployment>): DeploymentPlan {
  const message = 'This deployment is selecting all pods. A non-empty selector is required.'
  const events: DeploymentPlan['events'] = [{ type: 'Warning', reason: 'SelectingAll', message }]
  const observedGeneration = deployment.metadata.generation ?? 0
  if ((deployment.status?.observedGeneration ?? 0) >= observedGeneration) return { actions: [], events }
  return { actions: [], events, status: { ...deployment, status: { ...deployment.status, observedGeneration } } }
}

/** The ReplicaSets with the settings of the Deployment. The identical list when nothing changes. */
function setsWithSettings(snapshot: DeploymentSnapshot, kept: ReadonlySet<string>): readonly Stored<ReplicaSet>[] {
  const { replicaSets } = snapshot
  const next = replicaSets.map((set) => (isBeingDeleted(set) ? set : withCarriedSettings(snapshotFor(set, snapshot, kept), set)))
  return next.every((set, index) => set === replicaSets[index]) ? replicaSets : next
}

const isBeingDeleted = ({ metadata }: Stored<ReplicaSet>) => metadata.deletionTimestamp !== undefined

/**
 * A new ReplicaSet that exists without a Progressing condition starts with the reason FoundNewReplicaSet. So does a rollback: otherwise the
 * rollout before would stay complete if the status never shows an old pod.
 */
function startingConditions({ deployment }: DeploymentSnapshot, { newSet }: SortedSets, now: number): Conditions {
  const conditions = nextPauseConditions(deployment, now)
  if (newSet === undefined || !hasProgressDeadline(deployment)) return conditions
  const current = conditionOf(conditions, 'Progressing')
  const isRollback = current?.reason === progressReasons.newSetAvailable && isNewerRevision(newSet, deployment)
  if (current !== undefined && !isRollback) return conditions
  const message = `Found new replica set "${newSet.metadata.name}"`
  return withConditionState(conditions, 'Progressing', 'True', progressReasons.newSetFound, message, now)
}

/** A Deployment gets the revision of its new ReplicaSet with its next status. */
function isNewerRevision(newSet: Stored<ReplicaSet>, deployment: Stored<Deployment>): boolean {
  const [next, current] = [revisionOf(newSet), revisionOf(deployment)]
  return next !== undefined && current !== undefined && current > 0n && next > current
}

/**
 * Kubernetes scales a paused Deployment to replicas plus surge at every sync: pausing a rollout adds pods. Under TerminationComplete, where
 * a rollout may have fewer pods for a long time, only a change of spec.replicas or maxSurge does; otherwise the ReplicaSets fill up to
 * spec.replicas.
 */
function planPaused(step: Step): StepResult {
  const { snapshot, settings, sorted, scale } = step
  const isDue = settings.policy !== 'TerminationComplete' || scale === 'pending'
  const changed = isDue ? planScale(step, sorted) : planFilling(step, sorted)
  const isRollingBack = requestedRollback(snapshot.deployment) !== undefined
  return { isRollout: false, changed, deleted: isRollingBack ? [] : planCleanup(step, sorted.oldSets) }
}

/** The new ReplicaSet is created or updated first, and the template is rolled back in a later sync. */
function planRequestedRollback(step: Step, requested: bigint): DeploymentPlan {
  const { snapshot, sorted } = step
  const created = sorted.newSet === undefined ? createdForRolling(step) : undefined
  const first = planOutcome(step, { isRollout: false, ...(created !== undefined && { created }) })
  if (first.actions.length > 0) return first
  const { deployment, event } = planRollback(snapshot.deployment, allSets(sorted), requested)
  return { actions: [{ action: 'update-deployment', deployment, event }], events: first.events }
}

function createdForRolling(step: Step): ReplicaSet {
  const { snapshot, settings, sorted, revision } = step
  const empty = emptySet(snapshot, revision)
  if (isRollingUpdate(snapshot.deployment)) return resized(empty, nextNewSize(step, empty, totalSize(sorted.oldSets)), step)
  // A requested rollback does not wait for old pods before it creates the ReplicaSet. Without a policy it gets its full size, as in Kubernetes.
  const isHeld = settings.policy !== undefined && isWaitingForOldPods(step, sorted.oldSets)
  return resized(empty, isHeld ? 0 : nextRecreatedSize(step, empty), step)
}

function planRolling(step: Step): StepResult {
  const { snapshot, sorted } = step
  const { newSet, oldSets } = sorted
  const created = newSet === undefined ? createdForRolling(step) : undefined
  if (newSet !== undefined) {
    const size = nextNewSize(step, newSet, totalSize(allSets(sorted)))
    if (size !== sizeOf(newSet)) return { isRollout: true, changed: [resized(newSet, size, step)] }
  }
  const shrinking = planScaleDownOld(snapshot, (created ?? newSet)!, oldSets)
  return {
    isRollout: true,
    ...(created !== undefined && { created }),
    changed: shrinking.map(({ set, size }) => resized(set, size, step)),
    deleted: shrinking.length === 0 && created === undefined ? planCleanupAtEnd(step) : [],
  }
}

function planRecreate(step: Step): StepResult {
  const { newSet, oldSets } = step.sorted
  const active = oldSets.filter((set) => sizeOf(set) > 0)
  if (active.length > 0) return { isRollout: true, changed: active.map((set) => resized(set, 0, step)) }
  if (isWaitingForOldPods(step, oldSets)) return { isRollout: true }
  if (newSet === undefined) return { isRollout: true, created: createdForRolling(step) }
  const size = nextRecreatedSize(step, newSet)
  return {
    isRollout: true,
    changed: size === sizeOf(newSet) ? [] : [resized(newSet, size, step)],
    deleted: planCleanupAtEnd(step),
  }
}

function planCleanupAtEnd(step: Step) {
  const { deployment } = step.snapshot
  return isComplete(deployment, deployment.status, step.settings, step.account) ? planCleanup(step, step.sorted.oldSets) : []
}

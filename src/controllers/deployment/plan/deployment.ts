// One look at a Deployment: what to write, and when to look again. One step where Kubernetes takes one step.
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import { stuckAtMs } from '../../shared/plan/pod-state.ts'
import { nextRevision } from './annotations.ts'
import { stuckPods } from './capacity.ts'
import { type Conditions, conditionOf, progressReasons, withState } from './conditions.ts'
import { isRollingUpdate } from './fenceposts.ts'
import { planCleanup } from './history.ts'
import { emptySet, syncedNewSet, withCarriedSettings } from './new-set.ts'
import { planOutcome } from './outcome.ts'
import { hasProgressDeadline, isComplete, nextPauseConditions } from './progress.ts'
import { isWaitingForOldPods, nextRecreatedSize } from './recreate.ts'
import { maxRevision, type SortedSets, sizeOf, sortSets } from './replica-sets.ts'
import { rollbackRevision as askedRollback, planRollback } from './rollback.ts'
import { nextNewSize, planShrinkOld } from './rolling.ts'
import { isScaleSuperseded, isScaling, planScale, resized, withoutPendingScale, withPresentMax } from './scale.ts'
import { type DeploymentSettings, settingsOf } from './settings.ts'
import type { DeploymentPlan, DeploymentSnapshot } from './snapshot.ts'
import { allSets, type Step, type StepResult } from './step.ts'

export function planDeployment(given: DeploymentSnapshot, now: number): DeploymentPlan {
  const { deployment } = given
  if (isSelectingAll(deployment)) return planSelectingAll(deployment)
  const settings = settingsOf(deployment, given.gates)
  const snapshot = withStuck(given, settings, now)
  const isBeingDeleted = deployment.metadata.deletionTimestamp !== undefined
  const sets = isBeingDeleted ? snapshot.replicaSets : carryingSets(snapshot)
  const { newSet, oldSets } = sortSets(deployment, sets)
  const revision = nextRevision(maxRevision(oldSets))
  if (isBeingDeleted) {
    const conditions = deployment.status?.conditions ?? []
    const sorted = { newSet, oldSets }
    return planOutcome({ snapshot, settings, now, sorted, revision, conditions }, { isRollout: false })
  }
  const sorted = { oldSets, newSet: newSet === undefined ? undefined : syncedNewSet(snapshot, newSet, revision) }
  const step: Step = { snapshot, settings, now, sorted, revision, conditions: startingConditions(snapshot, sorted, now) }
  if (deployment.spec?.paused === true) return planOutcome(step, planPaused(step))
  const rollback = askedRollback(deployment)
  if (rollback !== undefined) return planAskedRollback(step, rollback)
  const isScaleOver = isScaleSuperseded(deployment, { newSet, oldSets })
  if (!isScaleOver && isScaling(deployment, allSets(sorted))) return planOutcome(step, planScaling(step))
  const rolling = {
    ...step,
    isScaleOver,
    sorted: mapSets(sorted, (set) =>
      isScaleOver ? withoutPendingScale(set, deployment, settings) : withPresentMax(set, deployment, settings),
    ),
  }
  return planOutcome(rolling, isRollingUpdate(deployment) ? planRolling(rolling) : planRecreate(rolling))
}

const mapSets = ({ newSet, oldSets }: SortedSets, map: (set: Stored<ReplicaSet>) => Stored<ReplicaSet>): SortedSets => ({
  newSet: newSet && map(newSet),
  oldSets: oldSets.map(map),
})

/** Only under TerminationComplete does a scale take time; Kubernetes does not look for progress while it scales. */
const planScaling = ({ snapshot, sorted, settings }: Step): StepResult => ({
  isRollout: settings.policy === 'TerminationComplete',
  changed: planScale(snapshot, sorted, settings),
})

/** Only under TerminationComplete does a terminating pod hold room in the first place. */
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

/** No server stores such a selector today; one may have been stored long ago. */
function planSelectingAll(deployment: Stored<Deployment>): DeploymentPlan {
  const message = 'This deployment is selecting all pods. A non-empty selector is required.'
  const events: DeploymentPlan['events'] = [{ type: 'Warning', reason: 'SelectingAll', message }]
  const observedGeneration = deployment.metadata.generation ?? 0
  if ((deployment.status?.observedGeneration ?? 0) >= observedGeneration) return { actions: [], events }
  return { actions: [], events, status: { ...deployment, status: { ...deployment.status, observedGeneration } } }
}

/** With what every set takes over from the Deployment. The very same list when nothing changes. */
function carryingSets(snapshot: DeploymentSnapshot): readonly Stored<ReplicaSet>[] {
  const { replicaSets } = snapshot
  const next = replicaSets.map((set) => (isGoing(set) ? set : withCarriedSettings(snapshot, set)))
  return next.every((set, index) => set === replicaSets[index]) ? replicaSets : next
}

const isGoing = ({ metadata }: Stored<ReplicaSet>) => metadata.deletionTimestamp !== undefined

/** A set that was there before anybody watched its progress is where the watch begins. */
function startingConditions({ deployment }: DeploymentSnapshot, { newSet }: SortedSets, now: number): Conditions {
  const conditions = nextPauseConditions(deployment, now)
  if (newSet === undefined || !hasProgressDeadline(deployment) || conditionOf(conditions, 'Progressing') !== undefined) return conditions
  const message = `Found new replica set "${newSet.metadata.name}"`
  return withState(conditions, 'Progressing', 'True', progressReasons.newSetFound, message, now)
}

/**
 * Kubernetes scales a paused Deployment at every sync, to replicas and surge: pausing in the middle of a rollout adds pods.
 * Under TerminationComplete, where a rollout has fewer pods for long, only a scale does.
 */
function planPaused({ snapshot, settings, sorted }: Step): StepResult {
  const isDue = settings.policy !== 'TerminationComplete' || isScaling(snapshot.deployment, allSets(sorted))
  const changed = isDue ? planScale(snapshot, sorted, settings) : []
  const isRollingBack = askedRollback(snapshot.deployment) !== undefined
  return { isRollout: false, changed, deleted: isRollingBack ? [] : planCleanup(snapshot, sorted.oldSets, settings) }
}

/** First the new set is made or brought up to date, then the template goes back: each in a look of its own. */
function planAskedRollback(step: Step, asked: bigint): DeploymentPlan {
  const { snapshot, sorted, revision, settings } = step
  const created = sorted.newSet === undefined ? createdForRolling(step) : undefined
  const first = planOutcome({ ...step, revision, settings }, { isRollout: false, ...(created !== undefined && { created }) })
  if (first.actions.length > 0) return first
  const { deployment, event } = planRollback(snapshot.deployment, allSets(sorted), asked)
  return { actions: [{ action: 'update-deployment', deployment, event }], events: first.events }
}

function createdForRolling({ snapshot, settings, sorted, revision }: Step): ReplicaSet {
  const empty = emptySet(snapshot, revision)
  const sets = [...sorted.oldSets, empty]
  const size = isRollingUpdate(snapshot.deployment)
    ? nextNewSize(snapshot, empty, sets, settings)
    : nextRecreatedSize(snapshot, empty, sets, settings)
  return resized(empty, size, snapshot.deployment, settings)
}

function planRolling(step: Step): StepResult {
  const { snapshot, settings, sorted } = step
  const { deployment } = snapshot
  const { newSet, oldSets } = sorted
  const created = newSet === undefined ? createdForRolling(step) : undefined
  if (newSet !== undefined) {
    const size = nextNewSize(snapshot, newSet, allSets(sorted), settings)
    if (size !== sizeOf(newSet)) return { isRollout: true, changed: [resized(newSet, size, deployment, settings)] }
  }
  const shrinking = planShrinkOld(snapshot, (created ?? newSet)!, oldSets)
  return {
    isRollout: true,
    ...(created !== undefined && { created }),
    changed: shrinking.map(({ set, size }) => resized(set, size, deployment, settings)),
    deleted: shrinking.length === 0 && created === undefined ? planCleanupAtEnd(step) : [],
  }
}

function planRecreate(step: Step): StepResult {
  const { snapshot, settings, sorted } = step
  const { deployment } = snapshot
  const { newSet, oldSets } = sorted
  const active = oldSets.filter((set) => sizeOf(set) > 0)
  if (active.length > 0) return { isRollout: true, changed: active.map((set) => resized(set, 0, deployment, settings)) }
  if (isWaitingForOldPods(snapshot, oldSets, settings)) return { isRollout: true }
  if (newSet === undefined) return { isRollout: true, created: createdForRolling(step) }
  const size = nextRecreatedSize(snapshot, newSet, allSets(sorted), settings)
  return {
    isRollout: true,
    changed: size === sizeOf(newSet) ? [] : [resized(newSet, size, deployment, settings)],
    deleted: planCleanupAtEnd(step),
  }
}

function planCleanupAtEnd({ snapshot, settings, sorted }: Step) {
  const { deployment } = snapshot
  const stuck = stuckPods(snapshot.replicaSets, snapshot).length
  return isComplete(deployment, deployment.status, settings, stuck) ? planCleanup(snapshot, sorted.oldSets, settings) : []
}

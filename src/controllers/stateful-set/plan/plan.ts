// Plans one sync of a StatefulSet: first the replicas in order, then the pods out of range, then the update. With OrderedReady the
// first replica that is not healthy ends the plan.
// Kubernetes: pkg/controller/statefulset.defaultStatefulSetControl.updateStatefulSet, defaultStatefulSetControl.processReplica
// Kubernetes: pkg/controller/statefulset.defaultStatefulSetControl.processCondemned
import type { Pod, Stored } from '../../../api/types.ts'
import { isAvailable, isTerminal, nextAvailableAtMs } from '../../shared/plan/pod-state.ts'
import { earliest } from '../../shared/plan/requeue.ts'
import { type ClaimingPod, hasStaleClaim, planClaimOwners, planClaims } from './claims.ts'
import { hasIdentity, hasStorage, ordinalOf, revisionOf } from './identity.ts'
import { correctedPod, newPod } from './new-pod.ts'
import { isRecreateDisabled, outdatedPods } from './recreate.ts'
import { isRunningAndReady, type Places, placesOf } from './replicas.ts'
import { isUnavailable, planRollingUpdate } from './rolling-update.ts'
import type { Replica, StatefulSetAction, StatefulSetPlan, StatefulSetSnapshot, Step } from './snapshot.ts'
import { countPods, nextStatus } from './status.ts'
import { isBroken, planUnstick } from './unstick.ts'

export function planStatefulSet(snapshot: StatefulSetSnapshot): StatefulSetPlan {
  const { set, pods } = snapshot
  const places = placesOf(snapshot)
  const isBeingDeleted = set.metadata.deletionTimestamp !== undefined
  const { steps, updating, requeueAtMs } = isBeingDeleted || isRecreateDisabled(snapshot) ? nothingToDo : planSteps(snapshot, places)
  const counts = countPods(
    pods.filter((pod) => ordinalOf(pod) >= 0),
    snapshot,
  )
  const next = nextStatus(snapshot, places, counts, updating)
  const nextMs = earliest(requeueAtMs, next.requeueAtMs, nextAvailableAtMs(pods, set.spec?.minReadySeconds ?? 0, snapshot.nowMs))
  return { steps, status: next.status, ...(nextMs !== undefined && { requeueAtMs: nextMs }) }
}

interface Steps {
  readonly steps: readonly Step[]
  /** How many pods of the current revision are deleted for the update. */
  readonly updating: number
  readonly requeueAtMs?: number
}

const nothingToDo: Steps = { steps: [], updating: 0 }

function planSteps(snapshot: StatefulSetSnapshot, places: Places): Steps {
  const { replicas, condemned } = places
  const parallel = snapshot.set.spec?.podManagementPolicy === 'Parallel'
  const steps: Step[] = []
  const add = (actions: readonly StatefulSetAction[]) => {
    if (actions.length > 0) steps.push({ parallel, actions })
  }

  const outdated = outdatedPods(snapshot, places)
  if (outdated.length > 0) {
    const alive = outdated.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    steps.push({ parallel: true, actions: alive.map((pod) => ({ type: 'delete-pod', pod })) })
    return { steps, updating: 0 }
  }

  const actions: StatefulSetAction[] = []
  for (const replica of replicas) {
    const { action, blocks } = planReplica(snapshot, replica)
    if (action !== undefined) actions.push(action)
    if (!blocks || parallel) continue
    const { pod, requeueAtMs } = action === undefined || action.type === 'complete-claims' ? planUnstick(snapshot, replicas, replica) : {}
    if (pod !== undefined) actions.push({ type: 'delete-pod', pod })
    add(actions)
    return { steps, updating: 0, ...(requeueAtMs !== undefined && { requeueAtMs }) }
  }
  add(actions)

  add(
    condemned.flatMap((pod): StatefulSetAction[] => {
      const owners = planClaimOwners(snapshot.set, claiming(pod), snapshot.findClaim)
      return owners.update.length > 0 ? [{ type: 'own-claims', pod, owners }] : []
    }),
  )
  const scaleDown = planCondemned(snapshot, places, parallel)
  add(scaleDown.actions)
  if (scaleDown.blocks) return { steps, updating: 0 }

  const updating = planRollingUpdate(snapshot, places)
  add(updating.map((pod): StatefulSetAction => ({ type: 'delete-pod', pod })))
  return { steps, updating: updating.filter((pod) => revisionOf(pod) === snapshot.current.name).length }
}

interface ReplicaPlan {
  readonly action?: StatefulSetAction
  /** With OrderedReady, later replicas must wait. */
  readonly blocks: boolean
}

const blocked: ReplicaPlan = { blocks: true }
const fine: ReplicaPlan = { blocks: false }

function planReplica(snapshot: StatefulSetSnapshot, replica: Replica): ReplicaPlan {
  const { set, findClaim, nowMs } = snapshot
  const { pod } = replica
  if (pod === undefined) return planMissing(snapshot, replica)
  const isBeingDeleted = pod.metadata.deletionTimestamp !== undefined
  // A terminated pod is deleted, whatever its result. A new one is created when it no longer exists.
  if (isTerminal(pod)) return isBeingDeleted ? blocked : { action: { type: 'delete-pod', pod }, blocks: true }
  if (pod.status?.phase === 'Pending') {
    const claims = planClaims(set, claiming(pod), findClaim)
    const owners = planClaimOwners(set, claiming(pod), findClaim)
    if (claims.create.length > 0 || claims.beingDeleted.length > 0 || owners.update.length > 0)
      return { action: { type: 'complete-claims', pod, claims, owners }, blocks: true }
  }
  const isHealthy = !isBeingDeleted && isRunningAndReady(pod) && isAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs)
  if (!isHealthy && set.spec?.podManagementPolicy !== 'Parallel') return blocked
  const owners = planClaimOwners(set, claiming(pod), findClaim)
  const isCorrect = hasIdentity(set, pod) && hasStorage(set, pod)
  if (isCorrect && owners.update.length === 0) return fine
  const claims = hasStorage(set, pod) ? noClaims : planClaims(set, claiming(pod), findClaim)
  return { action: { type: 'update-pod', pod, next: isCorrect ? pod : correctedPod(set, pod), claims, owners }, blocks: false }
}

const noClaims = { create: [], beingDeleted: [] }

function planMissing({ set, findClaim, current, update }: StatefulSetSnapshot, { ordinal, revision }: Replica): ReplicaPlan {
  const source = revision === current.name && current.name !== update.name ? current : update
  const pod = newPod(set, source.template, source.name, ordinal)
  const claimant: ClaimingPod = { metadata: { name: pod.metadata.name }, ordinal }
  // The claim of a former pod is still being deleted.
  if (hasStaleClaim(set, claimant, findClaim)) return blocked
  const claims = planClaims(set, claimant, findClaim)
  return { action: { type: 'create-pod', pod, claims, owners: planClaimOwners(set, claimant, findClaim) }, blocks: true }
}

interface CondemnedPlan {
  readonly actions: readonly StatefulSetAction[]
  readonly blocks: boolean
}

/**
 * With OrderedReady, the pods out of range are deleted one at a time, from the largest ordinal. An unavailable pod is not deleted while
 * one with a smaller ordinal is unavailable too: two broken pods block the scale-down forever, as in Kubernetes, unless the gate
 * StatefulSetUnstickRollout is on.
 */
function planCondemned(snapshot: StatefulSetSnapshot, { condemned }: Places, parallel: boolean): CondemnedPlan {
  if (parallel) {
    const deletions = condemned.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    return { actions: deletions.map((pod) => ({ type: 'delete-pod', pod })), blocks: false }
  }
  const [target] = condemned
  if (target === undefined) return { actions: [], blocks: false }
  // All replicas are healthy here, so the first unhealthy pod is one of these.
  const firstUnhealthy = condemned.findLast((pod) => isUnavailable(snapshot, pod))
  const isHealthy = isRunningAndReady(target) && isAvailable(target, snapshot.set.spec?.minReadySeconds ?? 0, snapshot.nowMs)
  const mayDelete = isHealthy || target === firstUnhealthy || (snapshot.gates.StatefulSetUnstickRollout && isBroken(target))
  if (target.metadata.deletionTimestamp !== undefined || !mayDelete) return { actions: [], blocks: true }
  return { actions: [{ type: 'delete-pod', pod: target }], blocks: true }
}

const claiming = (pod: Stored<Pod>): ClaimingPod => ({ metadata: pod.metadata, ordinal: ordinalOf(pod) })

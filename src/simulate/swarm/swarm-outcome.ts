// The expected state at the end of a swarm run: every workload has the pods that it requests, or waits for a pod that does
// not terminate or start, and reports that.

import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, KubernetesObject, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { isGated } from '../../cluster/pacer/in-process-pacer.ts'
import { countsTerminatingAsActive, countsWithoutSet, type DeploymentGoal, goalOf } from '../invariants/deployment-goal.ts'
import { ageOf, sizeOf, templateText } from '../invariants/deployment-rules.ts'
import { findLeftBehind } from '../invariants/invariants.ts'
import { isTerminal } from '../invariants/object-state.ts'
import type { KindName, TestCluster } from '../library/cluster-api.ts'
import type { TracedCondition } from '../rollout/trace.ts'
import { endlessDelay } from './swarm-plan.ts'

const beforeScale = 'deployment.kubernetes.io/replicaset-replicas-before-scale'

type WithStatus = Stored<KubernetesObject> & { readonly status?: { readonly conditions?: readonly TracedCondition[] } }

const conditionOf = ({ status }: WithStatus, wanted: string) => status?.conditions?.find(({ type }) => type === wanted)
const ownerUid = (object: Stored<KubernetesObject>) => controllerOf(object)?.uid
const isStuck = (pod: Stored<Pod>) => pod.metadata.deletionTimestamp !== undefined && !isTerminal(pod)
const isBroken = ({ metadata }: Stored<Pod>) => metadata.annotations?.['rollcall.dev/start-delay'] === endlessDelay

/** A line for each workload that has not settled. `mayWait`: there are pods that do not terminate. */
export async function findUnfinished(cluster: TestCluster, { mayWait }: { readonly mayWait: boolean }): Promise<string[]> {
  const found: string[] = []
  const pods = await cluster.list('pod')
  const sets = await cluster.list('replicaset')
  /** Workloads that are not being deleted. Others may wait for a pod that does not terminate. */
  const staying = async <K extends KindName>(kind: K) =>
    (await cluster.list(kind)).filter(({ metadata }) => !mayWait || metadata.deletionTimestamp === undefined)
  const podsOf = (uid: string) => pods.filter((pod) => ownerUid(pod) === uid)
  const setsOf = (uid: string) => sets.filter((set) => ownerUid(set) === uid)
  /** These pods block their workload. */
  const isInTheWay = (those: readonly Stored<Pod>[]) => mayWait && those.some((pod) => isStuck(pod) || isBroken(pod))
  /** Its set was deleted. */
  const isStray = (pod: Stored<Pod>) => !sets.some(({ metadata }) => metadata.uid === ownerUid(pod))
  const describe = (kind: string, { metadata }: Stored<KubernetesObject>, what: string) => found.push(`${kind} ${metadata.name} ${what}`)

  for (const deployment of await staying('deployment')) {
    const own = setsOf(deployment.metadata.uid)
    const strays = pods.filter((pod) => isStuck(pod) && isStray(pod) && countsWithoutSet(deployment, pod))
    const ownPods = [...own.flatMap(({ metadata }) => podsOf(metadata.uid)), ...strays]
    const problem = deploymentProblem(deployment, own, ownPods, mayWait)
    if (problem !== undefined) describe('Deployment', deployment, problem)
  }
  for (const set of await staying('replicaset')) {
    const [wanted, ready] = [set.spec?.replicas ?? 1, set.status?.readyReplicas ?? 0]
    if (ready !== wanted && !isInTheWay(podsOf(set.metadata.uid))) describe('ReplicaSet', set, `is for ${wanted}, and has ${ready} ready`)
  }
  for (const set of await staying('statefulset')) {
    const { spec, status } = set
    const wanted = spec?.replicas ?? 1
    const is = [status?.replicas ?? 0, status?.readyReplicas ?? 0, status?.updatedReplicas ?? 0]
    if (is.every((count) => count === wanted)) continue
    if (!isInTheWay(podsOf(set.metadata.uid)))
      describe('StatefulSet', set, `is for ${wanted}, and has ${is[0]}, ${is[1]} ready, ${is[2]} updated`)
  }
  for (const set of await staying('daemonset')) {
    const { numberReady, desiredNumberScheduled } = set.status ?? {}
    if (numberReady !== desiredNumberScheduled && !isInTheWay(podsOf(set.metadata.uid)))
      describe('DaemonSet', set, `is ready on ${numberReady} of ${desiredNumberScheduled} nodes`)
  }
  for (const set of [...(await staying('statefulset')), ...(await staying('daemonset'))]) {
    const { reason } = conditionOf(set as WithStatus, 'Progressing') ?? {}
    const hasDeadline = (set.spec as { readonly progressDeadlineSeconds?: number } | undefined)?.progressDeadlineSeconds !== undefined
    const isOver = reason === 'NewRevisionAvailable' || reason === 'ProgressDeadlineExceeded'
    if (!isOver && (hasDeadline || !isInTheWay(podsOf(set.metadata.uid))))
      found.push(`${set.metadata.name} has neither completed nor passed its deadline: ${reason}`)
  }
  for (const job of await staying('job')) {
    const hasEnded = ['Complete', 'Failed'].some((type) => conditionOf(job as WithStatus, type)?.status === 'True')
    if (!hasEnded && !isInTheWay(podsOf(job.metadata.uid))) describe('Job', job, `has not ended: ${JSON.stringify(job.status)}`)
  }
  const all = async (...kinds: readonly KindName[]) => (await Promise.all(kinds.map((kind) => cluster.list(kind)))).flat()
  const owned = (await all('pod', 'replicaset', 'job', 'controllerrevision')).filter(
    ({ metadata }) => !mayWait || metadata.deletionTimestamp === undefined,
  )
  found.push(...findLeftBehind(owned, await all('deployment', 'replicaset', 'statefulset', 'daemonset', 'job', 'cronjob')))
  return found
}

/**
 * A rollout must have completed. Where pods do not terminate, it may instead have passed its deadline, if it has done what it can and
 * says what it waits for; and a completed one may lack ready replicas that were lost or added later, if its sets have their full size:
 * as many as pods that do not terminate, and pods that never start.
 */
function deploymentProblem(
  deployment: Stored<Deployment>,
  sets: readonly Stored<ReplicaSet>[],
  allPods: readonly Stored<Pod>[],
  mayWait: boolean,
): string | undefined {
  const { spec, status, metadata } = deployment
  const wanted = spec?.replicas ?? 1
  const is = [status?.replicas ?? 0, status?.readyReplicas ?? 0, status?.updatedReplicas ?? 0] as const
  const { status: state, reason, message = '' } = conditionOf(deployment as WithStatus, 'Progressing') ?? {}
  const said = `is for ${wanted}, and has ${is[0]}, ${is[1]} ready, ${is[2]} updated; Progressing is ${state} (${reason}: ${message})`
  const isComplete = reason === 'NewReplicaSetAvailable'
  const pending = sets.filter((set) => set.metadata.annotations?.[beforeScale] !== undefined)
  if (metadata.annotations?.[beforeScale] !== undefined) return 'has the annotation of a pending scale'
  if (isComplete && is.every((count) => count === wanted))
    return pending.length === 0 ? undefined : `is complete, and a scale of ReplicaSet ${pending[0]!.metadata.name} is pending`
  if (!mayWait) return said
  const goal = goalOf(deployment, defaultFeatureGates)
  // All timeouts have passed.
  const isGivenUp = (pod: Stored<Pod>) => goal.isCapped && goal.stuckTimeoutMs !== undefined && isStuck(pod)
  const pods = allPods.filter((pod) => !isGivenUp(pod))
  const stuck = pods.filter(isStuck)
  const newSet = newSetOf(deployment, sets)
  const isDeleted = newSet?.metadata.deletionTimestamp !== undefined
  const size = sets.reduce((sum, set) => sum + sizeOf(set), 0)
  const isWaiting = sets.some((set) => countsTerminatingAsActive(set, defaultFeatureGates))
  const missing = wanted - is[1] - pods.filter(isBroken).length - (isWaiting ? stuck.length : 0)
  if (isComplete && !isDeleted && size === wanted && missing <= 0 && is[0] === is[2]) return undefined
  // Without a policy, Kubernetes takes Recreate for complete while it has no pods at all, and a Deployment whose ReplicaSet is being deleted.
  if (isComplete && !goal.hasPolicy && (goal.isRecreate || isDeleted) && is[0] === 0 && stuck.length > 0) return undefined
  if (reason !== 'ProgressDeadlineExceeded') return said
  const rollout: Rollout = { deployment, goal, sets, newSet, pods }
  const idle = goal.isRecreate ? idleRecreation(rollout) : idleRollout(rollout)
  if (idle !== undefined) return `${idle}; it ${said}`
  const isHeld = isDeleted || (goal.isCapped && (isAtGoal(rollout) || goal.isRecreate || roomOf(rollout) <= 0))
  return goal.hasPolicy && isHeld && stuck.length > 0 && !message.includes('terminating')
    ? `does not say that it waits for terminating pods; it ${said}`
    : undefined
}

interface Rollout {
  readonly deployment: Stored<Deployment>
  readonly goal: DeploymentGoal
  readonly sets: readonly Stored<ReplicaSet>[]
  readonly newSet: Stored<ReplicaSet> | undefined
  /** Those of its sets, and terminating ones of deleted sets. */
  readonly pods: readonly Stored<Pod>[]
}

/** The oldest of its template. */
function newSetOf({ spec }: Deployment, sets: readonly Stored<ReplicaSet>[]): Stored<ReplicaSet> | undefined {
  const template = templateText(spec?.template)
  return sets.filter((set) => templateText(set.spec?.template) === template).sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1))[0]
}

const isAtGoal = ({ goal, sets, newSet }: Rollout) =>
  newSet !== undefined && sizeOf(newSet) === goal.replicas && sets.every((set) => set === newSet || sizeOf(set) === 0)

/** How many more pods the cap allows. */
function roomOf({ goal, sets, pods }: Rollout): number {
  const taken = sets.map((set) => {
    const own = pods.filter((pod) => !isTerminal(pod) && ownerUid(pod) === set.metadata.uid)
    const terminating = own.filter(isStuck).length
    return countsTerminatingAsActive(set, defaultFeatureGates)
      ? Math.max(sizeOf(set), own.length)
      : Math.max(sizeOf(set), own.length - terminating) + terminating
  })
  const strays = pods.filter((pod) => isStuck(pod) && !sets.some(({ metadata }) => metadata.uid === ownerUid(pod)))
  return goal.replicas + goal.surge - taken.reduce((sum, count) => sum + count, strays.length)
}

/** A rolling update that waits has a new set, no old pod that may go, and no room left. */
function idleRollout(rollout: Rollout): string | undefined {
  const { goal, sets, newSet } = rollout
  if (newSet === undefined) return 'has no ReplicaSet of its template'
  const old = sets.filter((set) => set !== newSet).reduce((sum, set) => sum + sizeOf(set), 0)
  // New pods that are not available yet do not replace old ones.
  const removable = old + (newSet.status?.availableReplicas ?? 0) - (goal.replicas - goal.unavailable)
  if (old > 0 && removable > 0) return `keeps ${old} old pods, of which ${Math.min(old, removable)} may go`
  const room = roomOf(rollout)
  return goal.isCapped && room > 0 && sizeOf(newSet) < goal.replicas ? `has room for ${room} and does not use it` : undefined
}

/** A waiting Recreate has no old set with replicas, and a new set of full size unless old pods are in the way. */
function idleRecreation(rollout: Rollout): string | undefined {
  const { goal, sets, newSet, pods } = rollout
  const old = sets.find((set) => set !== newSet && sizeOf(set) > 0)
  if (old !== undefined) return `keeps the old ReplicaSet ${old.metadata.name}`
  if (newSet !== undefined && sizeOf(newSet) >= goal.replicas) return undefined
  const isInTheWay = (pod: Stored<Pod>) => !isTerminal(pod) && (!goal.hasPolicy || goal.isCapped || !isStuck(pod))
  // A pod without an owner is not one of the new set, even if there is no new set.
  if (pods.some((pod) => isInTheWay(pod) && (newSet === undefined || ownerUid(pod) !== newSet.metadata.uid))) return undefined
  if (newSet === undefined) return 'has no ReplicaSet of its template'
  return !goal.isCapped || roomOf(rollout) > 0 ? 'has room and does not use it' : undefined
}

/** When nothing terminates any more, nothing waits for the pacer. */
export async function findGated(cluster: TestCluster): Promise<string[]> {
  const gated = (await cluster.list('pod')).filter(isGated)
  return gated.map(({ metadata }) => `pod ${metadata.name} waits for the pacer, and nothing terminates`)
}

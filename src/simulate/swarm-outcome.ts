// What a swarm run must have come to when nothing changes any more: every workload has what it asked for, or waits for a
// pod that does not end or does not start, and says so.

import { defaultFeatureGates } from '../api/machinery/feature-gates.ts'
import { controllerOf } from '../api/machinery/owners.ts'
import type { Deployment, KubernetesObject, Pod, ReplicaSet, Stored } from '../api/types.ts'
import { countsTerminatingAsActive, type DeploymentGoal, goalOf } from '../cluster/deployment-goal.ts'
import type { TestCluster } from './cluster-api.ts'
import { templateText } from './deployment-rules.ts'
import { findLeftBehind } from './invariants.ts'
import { endlessDelay } from './swarm-plan.ts'

const beforeScale = 'deployment.kubernetes.io/replicaset-replicas-before-scale'

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}
type WithStatus = Stored<KubernetesObject> & { readonly status?: { readonly conditions?: readonly Condition[] } }

const conditionOf = ({ status }: WithStatus, wanted: string) => status?.conditions?.find(({ type }) => type === wanted)
const ownerUid = (object: Stored<KubernetesObject>) => controllerOf(object)?.uid
const isAlive = ({ status }: Stored<Pod>) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed'
const isStuck = (pod: Stored<Pod>) => pod.metadata.deletionTimestamp !== undefined && isAlive(pod)
const isBroken = ({ metadata }: Stored<Pod>) => metadata.annotations?.['rollcall.dev/start-delay'] === endlessDelay

const isSelected = ({ spec }: Deployment, { metadata }: Stored<Pod>) =>
  Object.entries(spec?.selector.matchLabels ?? {}).every(([key, value]) => metadata.labels?.[key] === value)

/** A line for each workload that has not come to its end. `mayWait`: pods that do not end were left as they are. */
export async function findUnfinished(cluster: TestCluster, { mayWait }: { readonly mayWait: boolean }): Promise<string[]> {
  const found: string[] = []
  const pods = await cluster.list('pod')
  const sets = await cluster.list('replicaset')
  /** Those that nobody deletes. Others may wait for a pod that does not end. */
  const staying = async <K extends string>(kind: K) =>
    (await cluster.list(kind)).filter(({ metadata }) => !mayWait || metadata.deletionTimestamp === undefined)
  const podsOf = (uid: string) => pods.filter((pod) => ownerUid(pod) === uid)
  const setsOf = (uid: string) => sets.filter((set) => ownerUid(set) === uid)
  /** Something is in the way of what these pods belong to. */
  const isInTheWay = (those: readonly Stored<Pod>[]) => mayWait && those.some((pod) => isStuck(pod) || isBroken(pod))
  /** Its set was deleted. */
  const isStray = (pod: Stored<Pod>) => !sets.some(({ metadata }) => metadata.uid === ownerUid(pod))
  const describe = (kind: string, { metadata }: Stored<KubernetesObject>, what: string) => found.push(`${kind} ${metadata.name} ${what}`)

  for (const deployment of await staying('deployment')) {
    const own = setsOf(deployment.metadata.uid)
    const strays = pods.filter((pod) => isStuck(pod) && isStray(pod) && isSelected(deployment, pod))
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
  const all = async (...kinds: readonly string[]) => (await Promise.all(kinds.map((kind) => cluster.list(kind)))).flat()
  const owned = (await all('pod', 'replicaset', 'job', 'controllerrevision')).filter(
    ({ metadata }) => !mayWait || metadata.deletionTimestamp === undefined,
  )
  found.push(...findLeftBehind(owned, await all('deployment', 'replicaset', 'statefulset', 'daemonset', 'job', 'cronjob')))
  return found
}

/**
 * A rollout has completed, or has passed its deadline and says what it waits for. A completed one may lack replicas that were
 * lost later, as long as its sets are as large as they should be and wait for pods that do not end.
 */
function deploymentProblem(
  deployment: Stored<Deployment>,
  sets: readonly Stored<ReplicaSet>[],
  pods: readonly Stored<Pod>[],
  mayWait: boolean,
): string | undefined {
  const { spec, status, metadata } = deployment
  const wanted = spec?.replicas ?? 1
  const is = [status?.replicas ?? 0, status?.readyReplicas ?? 0, status?.updatedReplicas ?? 0]
  const { status: state, reason, message = '' } = conditionOf(deployment as WithStatus, 'Progressing') ?? {}
  const said = `is for ${wanted}, and has ${is[0]}, ${is[1]} ready, ${is[2]} updated; Progressing is ${state} (${reason}: ${message})`
  const isComplete = reason === 'NewReplicaSetAvailable'
  const pending = sets.filter((set) => set.metadata.annotations?.[beforeScale] !== undefined)
  if (metadata.annotations?.[beforeScale] !== undefined) return 'has the annotation of a pending scale'
  if (isComplete && is.every((count) => count === wanted))
    return pending.length === 0 ? undefined : `is complete, and a scale of ReplicaSet ${pending[0]!.metadata.name} is pending`
  if (!mayWait) return said
  const stuck = pods.filter(isStuck)
  const size = sets.reduce((sum, set) => sum + (set.spec?.replicas ?? 1), 0)
  const isWaiting = stuck.length > 0 && sets.some((set) => countsTerminatingAsActive(set, defaultFeatureGates))
  if (isComplete && size === wanted && (isWaiting || pods.some(isBroken)) && is[0] === is[2]) return undefined
  const goal = goalOf(deployment, defaultFeatureGates)
  // Kubernetes takes Recreate for complete while it has no pods at all.
  if (isComplete && goal.isRecreate && !goal.isCapped && is[0] === 0 && stuck.length > 0) return undefined
  if (reason !== 'ProgressDeadlineExceeded') return said
  const idle = goal.isRecreate ? undefined : idleRollout(deployment, goal, sets, pods)
  if (idle !== undefined) return `${idle}; it ${said}`
  return goal.isCapped && stuck.length > 0 && !pods.some(isBroken) && !message.includes('terminating')
    ? `does not say that it waits for terminating pods; it ${said}`
    : undefined
}

/** A rolling update that waits has done what it can: it has a new set, no old pod that may go, and no room left. */
function idleRollout(
  { spec, status }: Stored<Deployment>,
  { isCapped, replicas, surge, unavailable }: DeploymentGoal,
  sets: readonly Stored<ReplicaSet>[],
  pods: readonly Stored<Pod>[],
): string | undefined {
  const template = templateText(spec?.template)
  const isNew = (set: Stored<ReplicaSet>) => templateText(set.spec?.template) === template
  const newSet = sets.find(isNew)
  if (newSet === undefined) return 'has no ReplicaSet of its template'
  const available = status?.availableReplicas ?? 0
  if (available > replicas - unavailable && sets.some((set) => !isNew(set) && sizeOf(set) > 0))
    return `keeps old pods with ${available} available, where ${Math.max(0, replicas - unavailable)} must be`
  const taken = sets.map((set) => {
    const own = pods.filter((pod) => isAlive(pod) && ownerUid(pod) === set.metadata.uid)
    const terminating = own.filter(isStuck).length
    return countsTerminatingAsActive(set, defaultFeatureGates)
      ? Math.max(sizeOf(set), own.length)
      : Math.max(sizeOf(set), own.length - terminating) + terminating
  })
  const strays = pods.filter((pod) => isStuck(pod) && !sets.some(({ metadata }) => metadata.uid === ownerUid(pod)))
  const room = replicas + surge - taken.reduce((sum, count) => sum + count, strays.length)
  return isCapped && room > 0 && sizeOf(newSet) < replicas ? `has room for ${room} and does not use it` : undefined
}

const sizeOf = ({ spec }: ReplicaSet) => spec?.replicas ?? 1

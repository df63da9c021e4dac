// Properties of a single decision of the Deployment planner: what was planned, compared with what the planner could know.
import type { Deployment, ReplicaSet, Stored } from '../../api/types.ts'
import { parseTime } from '../../base/clock.ts'
import type { DeploymentPlan, DeploymentSnapshot } from '../../controllers/deployment/plan/snapshot.ts'
import { nowMs } from './records.ts'

const desired = 'deployment.kubernetes.io/desired-replicas'
const max = 'deployment.kubernetes.io/max-replicas'
const base = 'deployment.kubernetes.io/replicaset-replicas-before-scale'

const sizeOf = ({ spec }: ReplicaSet) => spec?.replicas ?? 1
const availableOf = ({ status }: ReplicaSet) => status?.availableReplicas ?? 0
const noteOf = ({ metadata }: ReplicaSet, name: string) => {
  const text = metadata?.annotations?.[name]
  return text === undefined ? undefined : Number(text)
}

interface Goal {
  readonly replicas: number
  readonly surge: number
  readonly unavailable: number
  readonly isRolling: boolean
}

function goalOf({ spec }: Deployment): Goal {
  const { maxSurge = 0, maxUnavailable = 0 } = spec?.strategy?.rollingUpdate ?? {}
  const isRolling = spec?.strategy?.type === 'RollingUpdate'
  const [surge, unavailable] = [Number(maxSurge), Number(maxUnavailable)]
  return { replicas: spec?.replicas ?? 1, surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable, isRolling }
}

const imageOf = (template: NonNullable<ReplicaSet['spec']>['template']) => template?.spec?.containers[0]?.image

/** What is wrong with the plan; undefined if nothing is. */
export function findPlanProblem({ deployment, replicaSets }: DeploymentSnapshot, plan: DeploymentPlan): string | undefined {
  const goal = goalOf(deployment)
  const after = new Map<Stored<ReplicaSet>, ReplicaSet>()
  for (const action of plan.actions) {
    if (action.action !== 'update-set') continue
    const before = replicaSets.find(({ metadata }) => metadata.uid === action.replicaSet.metadata.uid)
    if (before === undefined) return 'a ReplicaSet that does not exist is resized'
    after.set(before, action.replicaSet)
  }
  return (
    floorProblem(goal, replicaSets, after) ??
    growthProblem(goal, deployment, replicaSets, after) ??
    shareProblem(goal, deployment, replicaSets, after) ??
    deadlineProblem(deployment, plan)
  )
}

const progressingOf = ({ status }: Deployment) => status?.conditions?.find(({ type }) => type === 'Progressing')

/** A rollout or scale that only waits is not called complete, and is called timed out when it waits for longer than its deadline. */
function deadlineProblem(deployment: Stored<Deployment>, { actions, wait, status }: DeploymentPlan): string | undefined {
  const { podReplacementPolicy, paused, progressDeadlineSeconds = 0 } = deployment.spec ?? {}
  if (podReplacementPolicy !== 'TerminationComplete' || paused === true || wait === undefined || actions.length > 0) return undefined
  const { reason = '', lastUpdateTime = '' } = progressingOf(status ?? deployment) ?? {}
  if (reason === 'NewReplicaSetAvailable') return 'honesty: a rollout or scale that waits is called complete'
  const isOverdue = parseTime(lastUpdateTime) + progressDeadlineSeconds * 1000 < nowMs
  return isOverdue && inProgress.has(reason) ? `Progressing stays ${reason} beyond the deadline` : undefined
}

const inProgress: ReadonlySet<string> = new Set(['ReplicaSetUpdated', 'NewReplicaSetCreated', 'FoundNewReplicaSet'])

/** Pods that stay available, if each ReplicaSet deletes pods that are not available first. */
const stayingAvailable = (sets: readonly (readonly [ReplicaSet, number])[]) =>
  sets.reduce((sum, [set, size]) => sum + Math.min(availableOf(set), size), 0)

function floorProblem(
  { replicas, unavailable, isRolling }: Goal,
  sets: readonly Stored<ReplicaSet>[],
  after: ReadonlyMap<Stored<ReplicaSet>, ReplicaSet>,
): string | undefined {
  if (!isRolling) return undefined
  const before = stayingAvailable(sets.map((set) => [set, sizeOf(set)]))
  const left = stayingAvailable(sets.map((set) => [set, sizeOf(after.get(set) ?? set)]))
  const floor = Math.min(before, replicas - unavailable)
  return left < floor ? `floor: ${left} pods stay available where ${floor} have to` : undefined
}

/** A Deployment that was not made smaller since its ReplicaSets were scaled. */
function growthProblem(
  { replicas, surge }: Goal,
  deployment: Stored<Deployment>,
  sets: readonly Stored<ReplicaSet>[],
  after: ReadonlyMap<Stored<ReplicaSet>, ReplicaSet>,
): string | undefined {
  const active = sets.filter((set) => sizeOf(set) > 0)
  if (active.some((set) => (noteOf(set, desired) ?? 0) > replicas || (noteOf(set, max) ?? 0) > replicas + surge)) return undefined
  for (const [set, next] of after) {
    const [from, to] = [sizeOf(set), sizeOf(next)]
    if (to >= from) continue
    const isNew = imageOf(set.spec?.template) === imageOf(deployment.spec?.template)
    if (isNew && from <= replicas) return `a scale-up or rollout scales the new ReplicaSet down from ${from} to ${to}`
  }
  return undefined
}

/** A scale that was pending when the policy was switched off ends as if it had never waited. */
function shareProblem(
  { replicas, surge, isRolling }: Goal,
  { spec }: Stored<Deployment>,
  sets: readonly Stored<ReplicaSet>[],
  after: ReadonlyMap<Stored<ReplicaSet>, ReplicaSet>,
): string | undefined {
  const active = sets.filter((set) => sizeOf(set) > 0)
  const isOff = spec?.podReplacementPolicy === undefined && spec?.terminatingAsActive === undefined
  if (!isOff || !isRolling || spec?.paused === true || active.length < 2) return undefined
  const isNewest = active.at(-1)?.spec?.template !== undefined && imageOf(active.at(-1)!.spec!.template) === imageOf(spec?.template)
  const ended = active.filter((set) => noteOf(set, base) !== undefined && (noteOf(set, desired) ?? replicas) < replicas)
  if (!isNewest || ended.length === 0 || !ended.every((set) => after.has(set))) return undefined
  const next = active.map((set) => sizeOf(after.get(set) ?? set))
  const total = next.reduce((sum, size) => sum + size, 0)
  if (total < replicas + surge) return `a pending scale ends with ${total} pods, where it was for ${replicas + surge}`
  const wanted = ended.length === active.length ? sharesOf(active, replicas + surge) : next
  return wanted.some((size, place) => size !== next[place])
    ? `a pending scale ends with the sizes ${next.join(' and ')}, and not with ${wanted.join(' and ')}`
    : undefined
}

/** The sizes of ReplicaSets, the oldest first, of which each lacks a part, after one scale without a policy. */
function sharesOf(sets: readonly ReplicaSet[], allowed: number): readonly number[] {
  const before = sets.map((set) => noteOf(set, base)!)
  const after = [...before]
  let left = allowed - before.reduce((sum, size) => sum + size, 0)
  const largestFirst = [...before.keys()].sort((a, b) => before[b]! - before[a]! || b - a)
  for (const place of largestFirst) {
    const share = Math.round((before[place]! * allowed) / noteOf(sets[place]!, max)!) - before[place]!
    const gain = Math.min(Math.max(0, share), left)
    after[place]! += gain
    left -= gain
  }
  after[largestFirst[0]!]! += left
  return after
}

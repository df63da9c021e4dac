// Invariants of each write of a Deployment or its ReplicaSets, besides the number of pods: which ReplicaSets may
// grow, which may shrink, and when a rollout may be reported as complete. The rules read stored objects only, and share nothing
// with the planners.
//
// A controller acts on what it has observed. A decision is wrong when it was wrong at every moment of the last `lagMs`.

import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { getOrAdd, SetMap } from '../../base/maps.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { type CheckerTime, countsTerminatingAsActive, countsWithoutSet, DeploymentGoals } from './deployment-goal.ts'
import { isTerminal } from './object-state.ts'

interface DeploymentRulesOptions {
  readonly gates: FeatureGates
  readonly time: CheckerTime
  isUserWriting(): boolean
}

interface CheckedSet {
  readonly set: Stored<ReplicaSet>
  readonly owner: string | undefined
  readonly template: string
}

/** The state of a Deployment from a moment on. */
interface Moment {
  readonly atMs: number
  /** Pods that exist or may be created; undefined: unknown. */
  readonly pods: number | undefined
  readonly terminating: number
  readonly hasScale: boolean
  readonly hasOldPods: boolean
  /** The sum of all increases of its ReplicaSets until then. */
  readonly grown: number
}

interface CheckedDeployment {
  readonly goals: DeploymentGoals
  object: Stored<Deployment>
  template: string
  reason: string | undefined
  /** It was scaled down, and has not completed since. */
  isShrinking: boolean
  grown: number
  moments: readonly Moment[]
}

const beforeScale = 'deployment.kubernetes.io/replicaset-replicas-before-scale'
const desired = 'deployment.kubernetes.io/desired-replicas'
const most = 'deployment.kubernetes.io/max-replicas'
const hashLabel = 'pod-template-hash'

export const sizeOf = ({ spec }: ReplicaSet): number => spec?.replicas ?? 1
/** Sorts ReplicaSets by age, and those of one second by name. */
export const ageOf = ({ metadata }: Stored<ReplicaSet>): string => `${metadata.creationTimestamp} ${metadata.name}`

/** With a timeout for stuck pods, the counts in the statuses do not show which terminating pods count. */
const isCapped = ({ isCapped, stuckTimeoutMs }: DeploymentGoals) => isCapped && stuckTimeoutMs === undefined

/** Equal templates have equal JSON, whatever the order of their keys. */
export const templateText = (template: unknown) =>
  JSON.stringify(template, (key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const entries = Object.entries(value).filter(([name]) => !(key === 'labels' && name === hashLabel))
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  })

/** Returns a line for each rule that the change breaks. */
export function checkDeployments({ gates, time, isUserWriting }: DeploymentRulesOptions): (change: Change) => readonly string[] {
  const deployments = new Map<string, CheckedDeployment>()
  const sets = new Map<string, CheckedSet>()
  /** The ReplicaSets of each Deployment, including deleted ones: their pods may still exist. */
  const setsOf = new SetMap<string, string>()
  const deploymentOf = new Map<string, string>()
  const setOfPod = new Map<string, string>()
  /** The pods that have not terminated, by the set that owns them, which may be deleted. */
  const podsOf = new Map<string, Map<string, Stored<Pod>>>()

  const ownSets = (uid: string) => [...(setsOf.get(uid) ?? [])].flatMap((one) => sets.get(one) ?? [])

  /** The oldest ReplicaSet with the template of the Deployment. */
  const newSetOf = (uid: string) =>
    ownSets(uid)
      .filter(({ template }) => template === deployments.get(uid)?.template)
      .sort(({ set: a }, { set: b }) => (ageOf(a) < ageOf(b) ? -1 : 1))[0]?.set.metadata.uid

  /** The new ReplicaSet, if the controller has observed the template. */
  const agreedNewSetOf = (uid: string) => {
    const { metadata, status } = deployments.get(uid)!.object
    return status?.observedGeneration === metadata.generation ? newSetOf(uid) : undefined
  }

  /** Point 2 of the reading of KEP-5882: the pods that a set has or may make. */
  const podsAtThisMoment = ({ set }: CheckedSet, isAsActive = countsTerminatingAsActive(set, gates)): number | undefined => {
    const { status } = set
    if ((status?.observedGeneration ?? 0) === 0) return sizeOf(set)
    const terminating = status?.terminatingReplicas
    if (terminating === undefined) return undefined
    const replicas = status?.replicas ?? 0
    return isAsActive ? Math.max(sizeOf(set), replicas + terminating) : Math.max(sizeOf(set), replicas) + terminating
  }

  /** Whether a ReplicaSet is not scaled to the size of the Deployment yet. Empty ReplicaSets count only if all are empty. */
  const hasScale = ({ goals }: CheckedDeployment, own: readonly CheckedSet[]) => {
    const { replicas, surge } = goals.last!
    const active = own.filter(({ set }) => sizeOf(set) > 0)
    if (own.some(({ set }) => set.metadata.annotations?.[beforeScale] !== undefined)) return true
    return (active.length > 0 ? active : own).some(({ set: { metadata } }) => {
      const notes = metadata.annotations ?? {}
      return notes[desired] !== String(replicas) || notes[most] !== String(replicas + surge)
    })
  }

  const note = (uid: string) => {
    const deployment = deployments.get(uid)
    if (deployment === undefined) return
    if (time.lagMs() === Number.POSITIVE_INFINITY) {
      deployment.moments = []
      return
    }
    const own = ownSets(uid)
    const counts = own.map((one) => podsAtThisMoment(one))
    const newSet = newSetOf(uid)
    let oldPods = 0
    let ofDeleted = 0
    for (const one of setsOf.get(uid) ?? []) {
      const pods = podsOf.get(one)
      const strays = sets.has(one)
        ? undefined
        : [...(pods?.values() ?? [])].filter((pod) => countsWithoutSet(deployment.object, pod)).length
      if (one !== newSet) oldPods += strays ?? pods?.size ?? 0
      ofDeleted += strays ?? 0
    }
    const moment: Moment = {
      atMs: time.now(),
      pods: counts.some((count) => count === undefined) ? undefined : counts.reduce<number>((sum, count) => sum + count!, ofDeleted),
      terminating: own.reduce((sum, { set }) => sum + (set.status?.terminatingReplicas ?? 0), 0),
      hasScale: hasScale(deployment, own),
      hasOldPods: oldPods > 0,
      grown: deployment.grown,
    }
    deployment.moments = [...recentMoments(deployment), moment]
  }

  /** The states of the last `lagMs`, and the one at the beginning of that time. */
  const recentMoments = ({ moments }: CheckedDeployment): readonly Moment[] => {
    const from = time.now() - time.lagMs()
    let first = 0
    while (first + 1 < moments.length && moments[first + 1]!.atMs < from) first++
    return first === 0 ? moments : moments.slice(first)
  }

  const onDeployment = (object: Stored<Deployment>, isGone: boolean): readonly string[] => {
    const { uid, name } = object.metadata
    if (isGone) {
      deployments.delete(uid)
      return []
    }
    const known = deployments.get(uid)
    const reason = object.status?.conditions?.find(({ type }) => type === 'Progressing')?.reason
    const deployment = known ?? {
      goals: new DeploymentGoals(time),
      object,
      template: '',
      reason: undefined,
      isShrinking: false,
      grown: 0,
      moments: [],
    }
    const before = deployment.goals.last
    deployment.goals.update(object, gates)
    const goal = deployment.goals.last!
    if (known === undefined || object.metadata.generation !== known.object.metadata.generation)
      deployment.template = templateText(object.spec?.template)
    if (before !== undefined && (goal.replicas < before.replicas || goal.replicas + goal.surge < before.replicas + before.surge))
      deployment.isShrinking = true
    deployment.object = object
    deployments.set(uid, deployment)
    const found: string[] = []
    const isCompleted = reason === 'NewReplicaSetAvailable' && deployment.reason !== reason
    if (isCompleted) {
      deployment.isShrinking = false
      const moments = recentMoments(deployment)
      if (isCapped(deployment.goals) && moments.length > 0 && moments.every(({ terminating }) => terminating > 0))
        found.push(`Deployment ${name} is called complete while ${moments.at(-1)!.terminating} of its pods terminate`)
    }
    deployment.reason = reason
    note(uid)
    return found
  }

  const onSet = (set: Stored<ReplicaSet>, isGone: boolean, owner: string | undefined): readonly string[] => {
    const { uid } = set.metadata
    const known = sets.get(uid)
    if (isGone) {
      sets.delete(uid)
      if (owner !== undefined) note(owner)
      return []
    }
    // The template of a ReplicaSet never changes.
    const template = known?.template ?? templateText(set.spec?.template)
    sets.set(uid, { set, owner, template })
    if (known?.owner !== owner) {
      if (known?.owner !== undefined) setsOf.remove(known.owner, uid)
      if (owner === undefined) deploymentOf.delete(uid)
      else {
        setsOf.add(owner, uid)
        deploymentOf.set(uid, owner)
      }
    }
    const deployment = owner === undefined ? undefined : deployments.get(owner)
    if (deployment === undefined || owner === undefined) return []
    const isOwnWrite = !isUserWriting() && (known === undefined || known.owner === owner)
    const growth = isOwnWrite ? sizeOf(set) - (known === undefined ? 0 : sizeOf(known.set)) : 0
    const found =
      growth > 0
        ? checkGrowth(owner, deployment, set, growth, replacementsOf(known, set))
        : growth < 0
          ? checkShrinkage(owner, deployment, set, known!.set)
          : []
    if (growth > 0) deployment.grown += growth
    note(owner)
    return found
  }

  /** A set that no longer counts terminating pods as active replaces them at once. */
  const replacementsOf = (known: CheckedSet | undefined, set: Stored<ReplicaSet>): number => {
    if (known === undefined || !countsTerminatingAsActive(known.set, gates) || countsTerminatingAsActive(set, gates)) return 0
    return (podsAtThisMoment(known, false) ?? 0) - (podsAtThisMoment(known, true) ?? 0)
  }

  function* growthProblems(uid: string, deployment: CheckedDeployment, set: Stored<ReplicaSet>, growth: number, replacements: number) {
    const { goals, grown } = deployment
    const moments = recentMoments(deployment)
    const what = `ReplicaSet ${set.metadata.name} grows by ${growth} to ${sizeOf(set)}`
    const all = goals.all
    const isNew = set.metadata.uid === agreedNewSetOf(uid)
    if (isCapped(goals)) {
      const room = (moment: Moment) => (moment.pods === undefined ? undefined : goals.cap - moment.pods - (grown - moment.grown))
      const rooms = moments.map(room)
      if (rooms.every((one) => one === undefined)) yield `${what} while the number of terminating pods is unknown`
      else if (rooms.every((one) => one === undefined || one < growth + replacements))
        yield `${what} where its Deployment has room for ${Math.max(0, ...rooms.map((one) => (one ?? 0) - replacements))}`
      if (isNew && all.every(({ isRecreate }) => isRecreate) && moments.every(({ hasOldPods }) => hasOldPods))
        yield `${what} though Recreate has to wait until all old pods have terminated`
      // Without the policy, Kubernetes scales a paused Deployment at every sync. With it, only up to spec.replicas.
      const total = ownSets(uid).reduce((sum, one) => sum + sizeOf(one.set), 0)
      const isFilled = all.some(({ replicas }) => total <= replicas)
      if (all.every(({ isPaused }) => isPaused) && moments.every((one) => !one.hasScale) && !isFilled)
        yield `${what} while its Deployment is paused, without a change of its replicas`
    }
  }

  const checkGrowth = (uid: string, deployment: CheckedDeployment, set: Stored<ReplicaSet>, growth: number, replacements: number) =>
    deployment.moments.length === 0 ? [] : [...growthProblems(uid, deployment, set, growth, replacements)]

  const checkShrinkage = (uid: string, { goals, isShrinking }: CheckedDeployment, set: Stored<ReplicaSet>, before: Stored<ReplicaSet>) => {
    const { uid: own, name } = set.metadata
    const isTooLarge = goals.all.some(({ replicas }) => sizeOf(before) > replicas)
    return own === agreedNewSetOf(uid) && !isShrinking && !isTooLarge
      ? [
          `ReplicaSet ${name}, the new one, shrinks from ${sizeOf(before)} to ${sizeOf(set)} though its Deployment was not asked to become smaller`,
        ]
      : []
  }

  const onPod = (pod: Stored<Pod>, isGone: boolean, controller: string | undefined): void => {
    const { uid } = pod.metadata
    const owner = isGone || isTerminal(pod) ? undefined : controller
    const before = setOfPod.get(uid)
    if (owner !== undefined) getOrAdd(podsOf, owner, () => new Map()).set(uid, pod)
    if (before === owner) return
    if (before !== undefined) {
      const left = podsOf.get(before)!
      left.delete(uid)
      if (left.size === 0) podsOf.delete(before)
    }
    if (owner === undefined) setOfPod.delete(uid)
    else setOfPod.set(uid, owner)
    for (const set of [before, owner]) {
      const deployment = set === undefined ? undefined : deploymentOf.get(set)
      if (deployment !== undefined) note(deployment)
    }
  }

  return ({ verb, kind, object, controller }) => {
    const isGone = verb === 'delete'
    if (kind.plural === 'deployments') return onDeployment(object as Stored<Deployment>, isGone)
    if (kind.plural === 'replicasets') return onSet(object as Stored<ReplicaSet>, isGone, controller?.uid)
    if (kind.plural === 'pods') onPod(object as Stored<Pod>, isGone, controller?.uid)
    return []
  }
}

// Watches all writes, and finds each moment at which a Deployment has more pods, terminating ones included, than its policy
// allows: replicas + maxSurge (KEP-5882). It counts the stored pods, and shares no code with the planners.
//
// These do not count as an excess:
// - pods that existed or were requested when the Deployment was scaled down, took on the policy or adopted their ReplicaSet; their
//   number may only decrease;
// - the replacement of a pod that another client deleted, where the ReplicaSet does not count terminating pods as
//   active: the ReplicaSet replaces it independently of the Deployment;
// - pods that are stuck for longer than rollcall.dev/stuck-termination-timeout allows;
// - pods of a deleted ReplicaSet that were created too late for the Deployment controller to observe them, or that only the ReplicaSet
//   connected with the Deployment: one that it had adopted, with the name of another Deployment.

import { deployments, pods, replicaSets } from '../../api/kinds.ts'
import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { parseTime } from '../../base/clock.ts'
import { getOrAdd, SetMap } from '../../base/maps.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { type CheckerTime, countsTerminatingAsActive, countsWithoutSet, DeploymentGoals, noLag } from './deployment-goal.ts'
import { sizeOf } from './deployment-rules.ts'
import { isTerminal } from './object-state.ts'

export interface PodCapChecker {
  /** An entry for each write after which there were too many pods. */
  readonly excesses: readonly string[]
  /** The maximum number of pods that the Deployment of that name had at any moment. */
  peak(name: string): number
  /** The ReplicaSet controller is about to delete that pod, so that its deletion counts as the Deployment's own. */
  deletedByController(uid: string): void
  /** Must be called with every write. */
  onChange(change: Change): void
}

interface WatchedDeployment {
  readonly name: string
  object: Stored<Deployment>
  readonly goals: DeploymentGoals
  /** The number of pods that is allowed now. */
  bound: number
  peak: number
}

interface WatchedSet {
  readonly owner: string | undefined
  /** The maximum number of pods that its controller may create by a size that it has not observed as replaced. */
  readonly promised: number
  /** It waits for terminating pods, whichever client deletes them. */
  readonly isWaiting: boolean
  /** When its deletion was requested. It replaces no pod once its controller has observed that. */
  readonly terminatingAtMs?: number
  /** Absent: it exists. */
  readonly deletedAtMs?: number
}

/** The pods of a ReplicaSet, counted incrementally: counting all of them after every write would take too long. */
class PodCounts {
  readonly pods = new Set<WatchedPod>()
  /** Deleted by another client, and not excused. */
  readonly foreign = new Set<WatchedPod>()
  terminating = 0
  excused = 0

  add(pod: WatchedPod): void {
    this.pods.add(pod)
    if (pod.isTerminating) this.terminating++
    if (pod.isExcused) this.excused++
    else if (pod.isForeign) this.foreign.add(pod)
  }

  delete(pod: WatchedPod): void {
    if (!this.pods.delete(pod)) return
    if (pod.isTerminating) this.terminating--
    if (pod.isExcused) this.excused--
    this.foreign.delete(pod)
  }

  excuse(pod: WatchedPod): void {
    if (pod.isExcused) return
    pod.isExcused = true
    this.excused++
    this.foreign.delete(pod)
  }
}

interface WatchedPod {
  readonly object: Stored<Pod>
  readonly set: string
  readonly createdAtMs: number
  readonly isTerminating: boolean
  /** The end of its grace period, once it terminates. */
  readonly graceEndsMs: number
  /** It was deleted by another client. */
  readonly isForeign: boolean
  /** At some moment since then its ReplicaSet did not have to wait for it. */
  isExcused: boolean
}

/** `gates` may change: it is read at every event. */
export function checkPodCap(gates: FeatureGates, time: CheckerTime = noLag): PodCapChecker {
  const excesses: string[] = []
  const ownDeletions = new Set<string>()
  const allDeployments = new Map<string, WatchedDeployment>()
  const sets = new Map<string, WatchedSet>()
  const living = new Map<string, WatchedPod>()
  /** Pods without an owner, which a ReplicaSet may adopt. */
  const orphans = new Set<string>()
  const counts = new Map<string, PodCounts>()
  /** The ReplicaSets of each Deployment, including deleted ones, whose pods may still exist. */
  const setsOf = new SetMap<string, string>()

  const setLiving = (uid: string, next: WatchedPod | undefined) => {
    const before = living.get(uid)
    if (before !== undefined) counts.get(before.set)?.delete(before)
    if (next === undefined) return void living.delete(uid)
    living.set(uid, next)
    getOrAdd(counts, next.set, () => new PodCounts()).add(next)
  }

  const setOwner = (uid: string, before: string | undefined, owner: string | undefined) => {
    if (before === owner) return
    if (before !== undefined) setsOf.remove(before, uid)
    if (owner !== undefined) setsOf.add(owner, uid)
  }

  const onDeployment = (deployment: Stored<Deployment>, isGone: boolean) => {
    const { uid, name } = deployment.metadata
    if (isGone) return void allDeployments.delete(uid)
    const known = allDeployments.get(uid) ?? {
      name,
      object: deployment,
      goals: new DeploymentGoals(time),
      bound: Number.POSITIVE_INFINITY,
      peak: 0,
    }
    known.object = deployment
    known.goals.update(deployment, gates)
    allDeployments.set(uid, known)
    check(uid, `the Deployment is for ${known.goals.cap}`)
  }

  const raiseBound = (uid: string) => {
    const deployment = allDeployments.get(uid)
    if (deployment !== undefined) deployment.bound = Math.max(deployment.bound, countPods(uid).promised)
  }

  const onSet = (set: Stored<ReplicaSet>, isGone: boolean, controller: Change['controller']) => {
    const { uid, name } = set.metadata
    const owner = controller?.uid
    const known = sets.get(uid)
    const isObserved = (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 0)
    const next: WatchedSet = {
      owner,
      promised: isObserved ? sizeOf(set) : Math.max(known?.promised ?? 0, sizeOf(set)),
      isWaiting: countsTerminatingAsActive(set, gates) && ((known?.isWaiting ?? false) || isObserved),
      ...(set.metadata.deletionTimestamp !== undefined && { terminatingAtMs: known?.terminatingAtMs ?? time.now() }),
      ...(isGone && { deletedAtMs: time.now() }),
    }
    sets.set(uid, next)
    setOwner(uid, known?.owner, owner)
    if (isGone) for (const pod of counts.get(uid)?.pods ?? []) if (isUncounted(pod, next)) counts.get(uid)!.excuse(pod)
    if (owner === undefined) return
    if (known !== undefined && known.owner !== owner) raiseBound(owner)
    check(owner, `ReplicaSet ${name} ${isGone ? 'is deleted' : `is for ${sizeOf(set)}`}`)
  }

  /** The ReplicaSet of the pod is deleted, and the Deployment controller may not have observed the pod before, or cannot know whose it is. */
  const isUncounted = ({ object, createdAtMs }: WatchedPod, { owner, deletedAtMs }: WatchedSet) => {
    if (deletedAtMs === undefined) return false
    const deployment = owner === undefined ? undefined : allDeployments.get(owner)
    return createdAtMs >= deletedAtMs - time.lagMs() || (deployment !== undefined && !countsWithoutSet(deployment.object, object))
  }

  const onPod = (pod: Stored<Pod>, isGone: boolean, controller: Change['controller']) => {
    const { uid, name } = pod.metadata
    const owner = controller?.uid
    const known = living.get(uid)
    const wasOrphan = orphans.delete(uid)
    if (isGone || isTerminal(pod) || owner === undefined) {
      setLiving(uid, undefined)
      if (!isGone && owner === undefined) orphans.add(uid)
    } else {
      const isTerminating = pod.metadata.deletionTimestamp !== undefined
      const createdAtMs = known?.createdAtMs ?? time.now()
      if (known?.isTerminating && isTerminating) setLiving(uid, { ...known, object: pod, set: owner })
      else {
        const isForeign = isTerminating && !ownDeletions.has(uid)
        const graceEndsMs = isTerminating ? parseTime(pod.metadata.deletionTimestamp!) : Number.POSITIVE_INFINITY
        setLiving(uid, { object: pod, set: owner, createdAtMs, isTerminating, graceEndsMs, isForeign, isExcused: false })
      }
    }
    const set = sets.get(owner ?? known?.set ?? '')
    const now = living.get(uid)
    if (set !== undefined && now !== undefined && isUncounted(now, set)) counts.get(now.set)!.excuse(now)
    const deployment = set?.owner
    if (deployment === undefined) return
    if (wasOrphan) raiseBound(deployment)
    check(deployment, `pod ${name} ${isGone ? 'is gone' : (pod.status?.phase ?? 'is made')}`)
  }

  /** `promised` includes the pods that the ReplicaSets may still create. */
  const countPods = (deployment: string) => {
    let total = 0
    let promised = 0
    let excused = 0
    const timeoutMs = allDeployments.get(deployment)?.goals.stuckTimeoutMs
    for (const uid of setsOf.get(deployment) ?? []) {
      const set = sets.get(uid)!
      const own = counts.get(uid)
      if (own !== undefined) {
        const isTerminating = set.terminatingAtMs !== undefined && time.now() - set.terminatingAtMs >= time.lagMs()
        const isReplacing = set.deletedAtMs === undefined && !isTerminating && !(set.isWaiting && gates.TerminatingAsActive)
        if (isReplacing) for (const pod of own.foreign) own.excuse(pod)
        if (timeoutMs !== undefined) for (const pod of own.pods) if (pod.graceEndsMs + timeoutMs <= time.now()) own.excuse(pod)
        total += own.pods.size
        excused += own.excused
      }
      const size = set.deletedAtMs === undefined ? set.promised : 0
      const all = own?.pods.size ?? 0
      const terminating = own?.terminating ?? 0
      promised += set.isWaiting ? Math.max(size, all) : terminating + Math.max(size, all - terminating)
    }
    return { total, promised, excused }
  }

  const check = (uid: string, what: string) => {
    const deployment = allDeployments.get(uid)
    if (deployment === undefined) return
    const { total, promised, excused } = countPods(uid)
    deployment.peak = Math.max(deployment.peak, total)
    if (!deployment.goals.isCapped || !gates.DeploymentPodReplacementPolicy) {
      deployment.bound = Number.POSITIVE_INFINITY
      return
    }
    deployment.bound = Math.max(deployment.goals.cap, Math.min(deployment.bound, promised))
    if (total - excused > deployment.bound)
      excesses.push(`${deployment.name}: ${total} pods where ${deployment.bound} may be, ${excused} more excused, when ${what}`)
  }

  const listeners: Readonly<Record<string, (object: never, isGone: boolean, controller: Change['controller']) => void>> = {
    [deployments.type]: onDeployment,
    [replicaSets.type]: onSet,
    [pods.type]: onPod,
  }

  return {
    excesses,
    peak: (name) => Math.max(0, ...[...allDeployments.values()].filter((one) => one.name === name).map(({ peak }) => peak)),
    deletedByController: (uid) => void ownDeletions.add(uid),
    onChange: ({ kind, verb, object, controller }) => listeners[kind.type]?.(object as never, verb === 'delete', controller),
  }
}

// Watches everything that is written, and finds each moment at which a Deployment under TerminationComplete (KEP-5882) has
// more pods, running and terminating, than replicas + maxSurge.
//
// What is not held against the Deployment: pods that were there or promised when it became smaller or took the policy on
// (they may only become fewer), pods of sets that it adopts or that somebody deletes under it, and the replacements of
// pods that somebody else deletes, unless terminatingAsActive asks their set to wait.
import type { FeatureGates } from '../api/feature-gates.ts'
import { deployments, pods, replicaSets } from '../api/kinds.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../api/types.ts'
import { maxReplicas } from '../planners/deployment/fenceposts.ts'
import { sizeOf } from '../planners/deployment/replica-sets.ts'
import { settingsOf } from '../planners/deployment/settings.ts'
import { isTerminal } from '../planners/pods/pod-state.ts'
import { settingsOf as settingsOfSet } from '../planners/replica-set/settings.ts'
import { controllerUid } from '../runtime/shared-informers.ts'
import { objectOf } from '../server/rest/entry.ts'
import { storageOf } from '../server/rest/scope.ts'
import type { Store, StoreEvent } from '../store/store.ts'

export interface PodCapChecker {
  /** A line for each pod too many. */
  readonly excesses: readonly string[]
  /** The most pods that the Deployment of that name ever had at once. */
  most(name: string): number
  /** A controller is about to delete that pod: from now on it goes by the Deployment's will. */
  deletedByController(uid: string): void
  stop(): void
}

interface WatchedDeployment {
  readonly name: string
  /** By generation: the observed one and those since. */
  asked: readonly { readonly generation: number; readonly allowed: number; readonly isHeld: boolean }[]
  /** The most that any of those allows: the controller may not have heard of the last one yet. */
  allowed: number
  /** All of those ask for it. */
  isHeld: boolean
  /** How many it may have now. */
  bound: number
  most: number
}

interface WatchedSet {
  readonly owner: string | undefined
  /** The most pods that it may be about to have. */
  readonly promised: number
  /** It is known to wait for pods that somebody else deletes. */
  readonly isWaiting: boolean
  readonly isGone: boolean
}

/** The pods of a set, counted as they come and go: a look at all of them after every write would take too long. */
class PodCounts {
  readonly pods = new Set<WatchedPod>()
  /** Deleted by somebody else, and not excused. */
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

  excuse(those: ReadonlySet<WatchedPod>): void {
    for (const pod of those) {
      if (pod.isExcused) continue
      pod.isExcused = true
      this.excused++
    }
    this.foreign.clear()
  }
}

interface WatchedPod {
  readonly set: string
  readonly isTerminating: boolean
  /** It was deleted by somebody else. */
  readonly isForeign: boolean
  /** At some moment since then its set did not have to wait for it. */
  isExcused: boolean
}

/** `gates` is read at every event: it may change. */
export function checkPodCap(store: Store, gates: FeatureGates): PodCapChecker {
  const excesses: string[] = []
  const ownDeletions = new Set<string>()
  const allDeployments = new Map<string, WatchedDeployment>()
  const sets = new Map<string, WatchedSet>()
  const living = new Map<string, WatchedPod>()
  const counts = new Map<string, PodCounts>()
  /** The sets of each Deployment, also those that are gone: their pods may still be there. */
  const setsOf = new Map<string, Set<string>>()

  const setLiving = (uid: string, next: WatchedPod | undefined) => {
    const before = living.get(uid)
    if (before !== undefined) counts.get(before.set)?.delete(before)
    if (next === undefined) return void living.delete(uid)
    living.set(uid, next)
    let those = counts.get(next.set)
    if (those === undefined) {
      those = new PodCounts()
      counts.set(next.set, those)
    }
    those.add(next)
  }

  const setOwner = (uid: string, before: string | undefined, owner: string | undefined) => {
    if (before === owner) return
    if (before !== undefined) setsOf.get(before)?.delete(uid)
    if (owner === undefined) return
    const those = setsOf.get(owner)
    if (those === undefined) setsOf.set(owner, new Set([uid]))
    else those.add(uid)
  }

  const onDeployment = (deployment: Stored<Deployment>, isGone: boolean) => {
    const { uid, name } = deployment.metadata
    if (isGone) return void allDeployments.delete(uid)
    const known = allDeployments.get(uid) ?? { name, asked: [], allowed: 0, isHeld: false, bound: Number.POSITIVE_INFINITY, most: 0 }
    const { generation = 0 } = deployment.metadata
    const observed = deployment.status?.observedGeneration ?? 0
    const { policy, stuckTerminationTimeoutMs } = settingsOf(deployment, { ...gates, DeploymentPodReplacementPolicy: true })
    // With the annotation, the user lets pods that are stuck exceed the cap.
    const isHeld = policy === 'TerminationComplete' && stuckTerminationTimeoutMs === undefined
    known.asked = [
      ...known.asked.filter((one) => one.generation >= observed && one.generation !== generation),
      { generation, allowed: maxReplicas(deployment), isHeld },
    ]
    known.allowed = Math.max(...known.asked.map(({ allowed }) => allowed))
    known.isHeld = known.asked.every((one) => one.isHeld)
    allDeployments.set(uid, known)
    check(uid, `the Deployment is for ${known.allowed}`)
  }

  const onSet = (set: Stored<ReplicaSet>, isGone: boolean) => {
    const { uid, name } = set.metadata
    const owner = controllerUid(set)
    const known = sets.get(uid)
    const isObserved = (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 0)
    const waits = settingsOfSet('ReplicaSet', set, gates).terminatingAsActive
    const next: WatchedSet = {
      owner,
      isGone,
      promised: isObserved ? sizeOf(set) : Math.max(known?.promised ?? 0, sizeOf(set)),
      isWaiting: waits && ((known?.isWaiting ?? false) || isObserved),
    }
    sets.set(uid, next)
    setOwner(uid, known?.owner, owner)
    if (owner === undefined) return
    const deployment = allDeployments.get(owner)
    if (deployment !== undefined && known !== undefined && known.owner !== owner)
      deployment.bound = Math.max(deployment.bound, countPods(owner).promised)
    check(owner, `ReplicaSet ${name} is for ${sizeOf(set)}`)
  }

  const onPod = (pod: Stored<Pod>, isGone: boolean) => {
    const { uid, name } = pod.metadata
    const owner = controllerUid(pod)
    const known = living.get(uid)
    if (isGone || isTerminal(pod) || owner === undefined) setLiving(uid, undefined)
    else {
      const isTerminating = pod.metadata.deletionTimestamp !== undefined
      if (known?.isTerminating && isTerminating) setLiving(uid, { ...known, set: owner })
      else setLiving(uid, { set: owner, isTerminating, isForeign: isTerminating && !ownDeletions.has(uid), isExcused: false })
    }
    const deployment = sets.get(owner ?? known?.set ?? '')?.owner
    if (deployment !== undefined) check(deployment, `pod ${name} ${isGone ? 'is gone' : (pod.status?.phase ?? 'is made')}`)
  }

  /** `promised`: with those that the sets may be about to make. */
  const countPods = (deployment: string) => {
    let total = 0
    let promised = 0
    let excused = 0
    for (const uid of setsOf.get(deployment) ?? []) {
      const set = sets.get(uid)!
      const own = counts.get(uid)
      if (own !== undefined) {
        if (set.isGone) own.excuse(own.pods)
        else if (!(set.isWaiting && gates.TerminatingAsActive)) own.excuse(own.foreign)
        total += own.pods.size
        excused += own.excused
      }
      const terminating = own?.terminating ?? 0
      promised += terminating + Math.max(set.isGone ? 0 : set.promised, (own?.pods.size ?? 0) - terminating)
    }
    return { total, promised, excused }
  }

  const check = (uid: string, what: string) => {
    const deployment = allDeployments.get(uid)
    if (deployment === undefined) return
    const { total, promised, excused } = countPods(uid)
    deployment.most = Math.max(deployment.most, total)
    if (!deployment.isHeld || !gates.DeploymentPodReplacementPolicy) {
      deployment.bound = Number.POSITIVE_INFINITY
      return
    }
    deployment.bound = Math.max(deployment.allowed, Math.min(deployment.bound, promised))
    if (total - excused > deployment.bound)
      excesses.push(`${deployment.name}: ${total} pods where ${deployment.bound} may be, ${excused} more excused, when ${what}`)
  }

  const listeners: Readonly<Record<string, (object: never, isGone: boolean) => void>> = {
    [storageOf(deployments)]: onDeployment,
    [storageOf(replicaSets)]: onSet,
    [storageOf(pods)]: onPod,
  }
  const stop = store.watch('', store.revision, (events: readonly StoreEvent[]) => {
    for (const { type, record } of events) {
      const listener = listeners[record.key.slice(0, record.key.indexOf('/'))]
      if (listener !== undefined) listener(objectOf(record) as never, type === 'delete')
    }
  })

  return {
    excesses,
    most: (name) => Math.max(0, ...[...allDeployments.values()].filter((one) => one.name === name).map(({ most }) => most)),
    deletedByController: (uid) => void ownDeletions.add(uid),
    stop,
  }
}

// The account of a Deployment: how many pods it may have at this moment (KEP-5882), and how many more may be created. It is computed once for
// each sync. docs/explanation/capacity.md explains it with numbers.
// Kubernetes: pkg/controller/deployment/util.NewRSNewReplicas
// Ours: the account of all pods, terminating ones included, is that of KEP-5882.
import type { Pod, ReplicaSet } from '../../../api/types.ts'
import { terminatingAsActiveOf } from '../../shared/plan/annotations.ts'
import { isActive, isTerminal, isTerminating } from '../../shared/plan/pod-state.ts'
import { countOf, unreportedReplicasAnnotation } from './annotations.ts'
import { maxReplicas } from './fenceposts.ts'
import { sizeOf, statusReplicas } from './replica-sets.ts'
import { selectedBySet } from './selection.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

/** What is known about the pods of one ReplicaSet. docs/explanation/capacity.md has each number with examples. */
interface SetAccount {
  /** spec.replicas. */
  readonly size: number
  /**
   * Its pods that are not terminating, as it has them or creates them at once: its size if it has fewer, all of them if it has not been scaled
   * down yet. One of size 0 deletes 4 pods that it adopts: if it is scaled to 4 meanwhile, there are 8. A pod that is replaced before its
   * eviction comes on top of the size.
   */
  readonly replicas: number
  /** How many of these only the cache shows, not the status, and not the size. The ReplicaSet is about to report them. */
  readonly unreported: number
  /** Terminating pods; undefined if its status does not have their number. */
  readonly terminating: number | undefined
  /** Terminating pods that hold room: not those that are stuck for too long. */
  readonly holding: number
  /** Replicas that take the place of terminating pods. With terminatingAsActive it creates them when those have terminated. Infinity: unknown. */
  readonly replacements: number
  /** Replicas and terminating pods at this moment; undefined if `terminating` is. */
  readonly pods: number | undefined
}

/** Of all ReplicaSets of a Deployment, and of pods that none of them counts. */
export interface Account {
  /** By uid. A ReplicaSet that is to be created has no account yet: it has no pods. */
  readonly sets: ReadonlyMap<string, SetAccount>
  /** Pods of deleted ReplicaSets that hold room. */
  readonly strays: number
  /** All terminating pods; undefined if a ReplicaSet does not report their number. */
  readonly terminating: number | undefined
  /** The terminating pods that no longer hold room. */
  readonly stuck: readonly Pod[]
  /** spec.replicas + maxSurge. */
  readonly cap: number
  /** The pods that exist, or that the ReplicaSets create by themselves; undefined if a ReplicaSet does not report its terminating pods. */
  readonly pods: number | undefined
  /** cap − pods, and never negative: a scale-up does not turn into a scale-down because too many pods still exist. 0 if `pods` is unknown. */
  readonly room: number
}

/** `sets` are the ReplicaSets as this sync will write them, but for their sizes. */
export function accountOf(snapshot: DeploymentSnapshot, sets: readonly ReplicaSet[]): Account {
  const { strays, isStuck } = snapshot
  const accounts = new Map(sets.map((set) => [set.metadata?.uid ?? '', accountOfSet(set, snapshot)]))
  const account = {
    sets: accounts,
    strays: isStuck === undefined ? strays.length : strays.filter((pod) => !isStuck(pod)).length,
    terminating: sum(strays.filter(isTerminating).length, accounts.values(), ({ terminating }) => terminating),
    stuck: isStuck === undefined ? none : terminatingPods(sets, snapshot).filter(isStuck),
    cap: maxReplicas(snapshot.deployment),
  }
  const pods = sum(account.strays, accounts.values(), (one) => one.pods)
  return { ...account, pods, room: pods === undefined ? 0 : Math.max(0, account.cap - pods) }
}

const none: readonly Pod[] = []

function sum(start: number, accounts: Iterable<SetAccount>, count: (account: SetAccount) => number | undefined): number | undefined {
  let total = start
  for (const account of accounts) {
    const more = count(account)
    if (more === undefined) return undefined
    total += more
  }
  return total
}

const noPods: SetAccount = { size: 0, replicas: 0, unreported: 0, terminating: 0, holding: 0, replacements: 0, pods: 0 }

export const accountIn = ({ sets }: Account, { metadata }: ReplicaSet): SetAccount => sets.get(metadata?.uid ?? '') ?? noPods

function accountOfSet(set: ReplicaSet, snapshot: DeploymentSnapshot): SetAccount {
  const { podsOf, podCountOf, deletedPodsOf, orphans, isStuck, countTerminatingPods } = snapshot
  const { uid = '', deletionTimestamp } = set.metadata ?? {}
  const size = sizeOf(set)
  const replaced = Math.min(size, snapshot.replacedPodsOf?.(uid) ?? 0)
  // A status that is newer than the cache lacks pods whose deletion the cache has not observed: both are counted in one place.
  const terminating = countTerminatingPods ? deletedPodsOf(uid).filter(isTerminating).length : reportedTerminating(set)
  const stated = countTerminatingPods ? Math.max(statusReplicas(set), podsOf(uid).filter(isActive).length) : statusReplicas(set)
  const stuck = isStuck === undefined ? 0 : deletedPodsOf(uid).filter((pod) => isTerminating(pod) && isStuck(pod)).length
  const holding = Math.max(0, (terminating ?? 0) - stuck)
  const reported = Math.max(stated, isObserved(set) ? 0 : (countOf(set, unreportedReplicasAnnotation) ?? 0))
  // One that is being deleted adopts none. The status may already contain some of them.
  const orphansToAdopt = deletionTimestamp !== undefined ? 0 : selectedBySet(set, orphans).length
  const expected = Math.max(reported + holding, size - orphansToAdopt)
  // Mostly the number of all pods is enough.
  const existing =
    podCountOf(uid) <= expected ? 0 : selectedBySet(set, podsOf(uid)).filter((pod) => !isTerminal(pod) && isStuck?.(pod) !== true).length
  const unreported = existing <= expected ? 0 : existing - reported - holding
  const active = reported + unreported
  // A ReplicaSet of 5 with 4 pods and a terminating one has 6, since it creates the fifth pod at once; 5 if it waits for the terminating one.
  const replicas = Math.max(size + replaced, active + orphansToAdopt)
  const replacements = terminating === undefined ? Number.POSITIVE_INFINITY : Math.min(holding, replicas - active - orphansToAdopt)
  const held = isWaitingForTerminating(set, snapshot) ? replacements : 0
  const pods = terminating === undefined ? undefined : replicas + holding - held
  return { size, replicas, unreported, terminating, holding, replacements, pods }
}

/** A ReplicaSet that was never observed has none. */
const reportedTerminating = ({ status }: ReplicaSet): number | undefined =>
  status?.terminatingReplicas ?? ((status?.observedGeneration ?? 0) === 0 ? 0 : undefined)

/** Whether the status of the ReplicaSet reflects its current spec. */
export const isObserved = ({ metadata, status }: ReplicaSet): boolean => (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0)

/**
 * One that has not observed its current spec may still act on an older one without terminatingAsActive. One that this sync turns it on for
 * has not observed it either, and one that this sync turns it off for replaces its terminating pods as soon as it has.
 */
function isWaitingForTerminating(set: ReplicaSet, { gates, replicaSets }: DeploymentSnapshot): boolean {
  if (!gates.TerminatingAsActive || !isObserved(set) || terminatingAsActiveOf(set).value !== true) return false
  const stored = replicaSets.find(({ metadata }) => metadata.uid === set.metadata?.uid)
  return stored !== undefined && terminatingAsActiveOf(stored).value === true
}

/** The terminating pods of these ReplicaSets and of deleted ones. */
export function terminatingPods(
  sets: readonly ReplicaSet[],
  { deletedPodsOf, strays }: Pick<DeploymentSnapshot, 'deletedPodsOf' | 'strays'>,
): readonly Pod[] {
  const found: Pod[] = []
  for (const set of sets) for (const pod of deletedPodsOf(set.metadata?.uid ?? '')) if (isTerminating(pod)) found.push(pod)
  for (const pod of strays) if (isTerminating(pod)) found.push(pod)
  return found
}

// What a rollout or scale waits for: terminating pods under TerminationComplete, or the deletion of its ReplicaSet.
// Ours: waiting for terminating pods is the policy TerminationComplete of KEP-3973.
import type { Pod, ReplicaSet } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { deletionRequestedAtMs } from '../../shared/plan/pod-state.ts'
import { type Account, accountIn, terminatingPods } from './capacity.ts'
import { type Conditions, conditionOf, type DeploymentStatus, progressReasons } from './conditions.ts'
import { isRollingUpdate, replicasOf } from './fenceposts.ts'
import { isAtGoal, isWaitingForDeletion } from './progress.ts'
import { sizeOf, sum, totalSize } from './replica-sets.ts'
import { progressOf } from './scale-state.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'
import { isKeptAsActive } from './switched-off.ts'

export interface TerminationWait {
  /** The name of the new ReplicaSet if it is being deleted: then the pods are those that it waits for, possibly none. */
  readonly deletedSet?: string
  /** How many terminating pods hold room. */
  readonly count: number
  /** When the first deletion was requested, in milliseconds since 1970. Undefined if the cache has no such pod. */
  readonly sinceMs: number | undefined
  /** Those that are shown: the first, ordered by the time of the deletion request. */
  readonly names: readonly string[]
}

interface WaitSource {
  readonly snapshot: DeploymentSnapshot
  readonly settings: DeploymentSettings
  readonly account: Account
  /** The ReplicaSets after the step. */
  readonly sets: readonly ReplicaSet[]
  readonly newSet: ReplicaSet | undefined
  readonly status: DeploymentStatus | undefined
}

/** Undefined if nothing waits for a terminating pod or ReplicaSet. */
export function findTerminationWait(source: WaitSource): TerminationWait | undefined {
  const { snapshot, settings, account, sets, newSet, status } = source
  const isPaused = snapshot.deployment.spec?.paused === true
  if (newSet !== undefined && !isPaused && isWaitingForDeletion(newSet, settings) && isOpen(status?.conditions)) {
    const pods = terminatingPods([newSet], { ...snapshot, strays: [] })
    return { deletedSet: newSet.metadata?.name ?? '', count: pods.length, ...describePods(pods) }
  }
  if (settings.policy !== 'TerminationComplete') return undefined
  const count = Math.max(0, (account.terminating ?? 0) - account.stuck.length)
  if (account.terminating === undefined || count === 0 || !isWaiting(source)) return undefined
  const { isStuck } = snapshot
  const pods = terminatingPods(sets, snapshot)
  return { count, ...describePods(isStuck === undefined ? pods : pods.filter((pod) => !isStuck(pod))) }
}

function describePods(pods: readonly Pod[]): Pick<TerminationWait, 'sinceMs' | 'names'> {
  const first = firstDeleted(pods)
  return { sinceMs: first[0]?.sinceMs, names: first.map(({ name }) => name) }
}

interface DeletedPod {
  readonly name: string
  /** When its deletion was requested. */
  readonly sinceMs: number
}

/** The first `shownNames` of the pods, without sorting all of them. */
function firstDeleted(pods: readonly Pod[]): readonly DeletedPod[] {
  const first: DeletedPod[] = []
  for (const pod of pods) {
    const sinceMs = deletionRequestedAtMs(pod) ?? 0
    const name = pod.metadata?.name ?? ''
    let place = first.length
    while (place > 0 && isBefore(name, sinceMs, first[place - 1]!)) place--
    if (place === shownNames) continue
    first.splice(place, 0, { name, sinceMs })
    if (first.length > shownNames) first.pop()
  }
  return first
}

const isBefore = (name: string, sinceMs: number, other: DeletedPod) =>
  sinceMs < other.sinceMs || (sinceMs === other.sinceMs && name < other.name)

/** Whether there would be something to do or to report if those pods had terminated. */
function isWaiting({ snapshot, account, sets, newSet, status }: WaitSource): boolean {
  const { deployment } = snapshot
  if (sets.some((set) => isKeptAsActive(set, snapshot, account))) return true
  if (deployment.spec?.paused === true)
    return totalSize(sets) < replicasOf(deployment) || sets.some((set) => progressOf(set, deployment) === 'pending')
  if (isAtGoal(deployment, newSet, sets)) return isOpen(status?.conditions)
  const growth = sum(sets, (set) => Math.max(0, sizeOf(set) - accountIn(account, set).replicas))
  return !isRollingUpdate(deployment) || growth >= account.room
}

/** A complete rollout does not wait for pods that are deleted later. */
function isOpen(conditions: Conditions | undefined): boolean {
  const reason = conditionOf(conditions, 'Progressing')?.reason
  return reason !== undefined && reason !== progressReasons.newSetAvailable
}

const shownNames = 3
const start = 'Waiting for '

/**
 * `Waiting for 5 terminating pods since 2026-11-16T10:00:00Z: web-1, web-2, web-3 and 2 more`, or `Waiting for the deletion of
 * ReplicaSet "web-1", which has 1 terminating pod since …`.
 */
export function describeWait({ deletedSet, count, sinceMs, names }: TerminationWait): string {
  const more = count - names.length
  const since = sinceMs === undefined ? '' : ` since ${formatTime(sinceMs)}`
  const listed = names.length === 0 ? '' : `: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const pods = `${count} terminating ${count === 1 ? 'pod' : 'pods'}${since}${listed}`
  if (deletedSet === undefined) return start + pods
  return `${start}the deletion of ReplicaSet "${deletedSet}"${count === 0 ? '' : `, which has ${pods}`}`
}

/** Appends the description to the message of an incomplete Progressing condition. Times and reasons stay the same. */
export function withWait(conditions: Conditions, wait: TerminationWait | undefined): Conditions {
  const current = conditionOf(conditions, 'Progressing')
  if (current === undefined) return conditions
  const before = current.message ?? ''
  const at = before.indexOf(` ${start}`)
  const first = at < 0 ? before : before.slice(0, at)
  // `Deployment is paused` and `Deployment is resumed` get their full stop with the description.
  const plain = at >= 0 && current.status === 'Unknown' ? first.replace(/\.$/, '') : first
  const isShown = wait !== undefined && current.reason !== progressReasons.newSetAvailable
  const message = isShown ? `${plain}${plain.endsWith('.') ? '' : '.'} ${describeWait(wait)}.` : plain
  if (message === current.message) return conditions
  return conditions.map((condition) => (condition === current ? { ...condition, message } : condition))
}

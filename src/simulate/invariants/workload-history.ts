// Records how many pods each workload had at each moment of a run, in which state. Entries are small and cheap to add; what a
// test requests is computed from them.

import type { KubernetesObject, Pod, Stored } from '../../api/types.ts'
import { scaledValue } from '../../base/int-or-percent.ts'
import { isGated } from '../../cluster/pacer/in-process-pacer.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { isReady, isTerminal } from './object-state.ts'

const podStates = ['ready', 'starting', 'terminating', 'waiting'] as const
/** `waiting` pods have the gate of the pacer, and take no room. */
type PodState = (typeof podStates)[number]

interface PodEntry {
  readonly atMs: number
  readonly pod: string
  readonly owner: string | undefined
  /** Undefined: it has terminated. */
  readonly state: PodState | undefined
}

interface WorkloadEntry {
  readonly atMs: number
  readonly workload: string
  /** `deployments default/web`. */
  readonly name: string
  readonly owner: string | undefined
  readonly desired: number
  /** How many pods it may have, terminating ones included. Undefined: it has no cap. */
  readonly cap: number | undefined
}

interface Moment {
  readonly atMs: number
  readonly desired: number
  readonly cap: number | undefined
  readonly counts: Readonly<Record<PodState, number>>
}

interface Excess {
  readonly atMs: number
  readonly pods: number
  readonly cap: number
  readonly counts: string
}

interface LooseSpec {
  readonly replicas?: number
  readonly parallelism?: number
  readonly strategy?: { readonly type?: string; readonly rollingUpdate?: { readonly maxSurge?: number | string } }
}

const workloadKinds = new Set(['deployments', 'replicasets', 'replicationcontrollers', 'statefulsets', 'daemonsets', 'jobs'])

export class WorkloadHistory {
  readonly #entries: (PodEntry | WorkloadEntry)[] = []
  /** The last entry of each object, as text: what does not change anything is not recorded. */
  readonly #last = new Map<string, string>()

  onChange(change: Change, atMs: number): void {
    const { plural, group } = change.kind
    if (plural === 'pods' && group === '') this.#add(podEntry(change, atMs), change.object.metadata.uid)
    else if (workloadKinds.has(plural)) this.#add(workloadEntry(change, atMs), change.object.metadata.uid)
  }

  #add(entry: PodEntry | WorkloadEntry, uid: string): void {
    const text = 'pod' in entry ? `${entry.owner} ${entry.state}` : `${entry.owner} ${entry.desired} ${entry.cap}`
    if (this.#last.get(uid) === text) return
    this.#last.set(uid, text)
    this.#entries.push(entry)
  }

  /** A line for each moment at which the counts of the workload changed. Undefined: there was no such workload. */
  timeline(plural: string, key: string, startMs: number): string[] | undefined {
    const moments = this.#replay(plural, key).moments
    return moments?.map(({ atMs, desired, cap, counts }) => {
      const pods = describe(counts)
      const asked = cap === undefined ? '' : ` desired ${desired}, cap ${cap}:`
      return `+${(atMs - startMs) / 1000}s${asked} ${pods === '' ? 'no pods' : pods}`
    })
  }

  /**
   * The moment at which the workload had most pods above its cap. Pods that existed when the cap decreased do not count:
   * only a new pod exceeds a cap. Null: there was none; undefined: there was no such workload, or it has no cap.
   */
  worstExcess(plural: string, key: string): Excess | null | undefined {
    const { moments, worst } = this.#replay(plural, key)
    return moments === undefined || moments.every(({ cap }) => cap === undefined) ? undefined : worst
  }

  #replay(plural: string, key: string): { readonly moments: readonly Moment[] | undefined; readonly worst: Excess | null } {
    const name = `${plural} ${key}`
    const owned = new Set<string>()
    const pods = new Map<string, PodState>()
    const counts: Record<PodState, number> = { ready: 0, starting: 0, terminating: 0, waiting: 0 }
    const moments: Moment[] = []
    let own: WorkloadEntry | undefined
    let worst: Excess | null = null
    for (const entry of this.#entries) {
      if ('pod' in entry) {
        const before = pods.get(entry.pod)
        if (before === undefined && (entry.owner === undefined || !owned.has(entry.owner))) continue
        if (before !== undefined) counts[before]--
        if (entry.state === undefined) pods.delete(entry.pod)
        else {
          pods.set(entry.pod, entry.state)
          counts[entry.state]++
        }
        const isNew = (before === undefined || before === 'waiting') && entry.state !== undefined && entry.state !== 'waiting'
        const count = pods.size - counts.waiting
        if (isNew && own?.cap !== undefined && count - own.cap > (worst === null ? 0 : worst.pods - worst.cap))
          worst = { atMs: entry.atMs, pods: count, cap: own.cap, counts: describe(counts) }
      } else if (entry.name === name) {
        own = entry
        owned.add(entry.workload)
      } else {
        if (entry.owner !== undefined && owned.has(entry.owner)) owned.add(entry.workload)
        continue
      }
      const moment = { atMs: entry.atMs, desired: own!.desired, cap: own!.cap, counts: { ...counts } }
      if (moments.at(-1)?.atMs === entry.atMs) moments[moments.length - 1] = moment
      else moments.push(moment)
    }
    return { moments: own === undefined ? undefined : moments, worst }
  }
}

const describe = (counts: Readonly<Record<PodState, number>>) =>
  podStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${state}`)
    .join(', ')

function podEntry({ verb, object, controller }: Change, atMs: number): PodEntry {
  const pod = object as Stored<Pod>
  return { atMs, pod: pod.metadata.uid, owner: controller?.uid, state: verb === 'delete' ? undefined : stateOf(pod) }
}

function stateOf(pod: Stored<Pod>): PodState | undefined {
  if (isTerminal(pod)) return undefined
  if (pod.metadata.deletionTimestamp !== undefined) return 'terminating'
  if (isGated(pod)) return 'waiting'
  return isReady(pod) ? 'ready' : 'starting'
}

function workloadEntry({ kind, key, object, verb, controller }: Change, atMs: number): WorkloadEntry {
  const { spec = {} } = object as Stored<KubernetesObject> & { readonly spec?: LooseSpec }
  const isGone = verb === 'delete'
  const desired = isGone ? 0 : kind.plural === 'jobs' ? (spec.parallelism ?? 1) : (spec.replicas ?? 1)
  return {
    atMs,
    workload: object.metadata.uid,
    name: `${kind.plural} ${key}`,
    owner: controller?.uid,
    desired: kind.plural === 'daemonsets' ? 0 : desired,
    cap: kind.plural === 'daemonsets' ? undefined : kind.plural === 'deployments' ? desired + surgeOf(spec, desired) : desired,
  }
}

function surgeOf({ strategy }: LooseSpec, replicas: number): number {
  if (strategy?.type === 'Recreate') return 0
  return scaledValue(strategy?.rollingUpdate?.maxSurge ?? 0, replicas, true) ?? 0
}

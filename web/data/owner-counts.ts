// The pods of one owner (a ReplicaSet, StatefulSet, DaemonSet or Job), counted as they change: a view never counts all pods again.
import type { Pod } from './objects.ts'
import { type PodState, stateOf } from './pod-summary.ts'

export interface PodEntry {
  readonly pod: Pod
  readonly state: PodState | undefined
  /** `controller-revision-hash`, for owners whose pods have several revisions. */
  readonly hash: string
  readonly node: string
}

export const entryOf = (pod: Pod): PodEntry => ({
  pod,
  state: stateOf(pod),
  hash: pod.metadata.labels?.['controller-revision-hash'] ?? '',
  node: pod.spec?.nodeName ?? '',
})

export class OwnerCounts {
  readonly pods = new Map<string, PodEntry>()
  readonly #byHash = new Map<string, Map<PodState, number>>()
  readonly #byNode = new Map<string, number>()

  set(entry: PodEntry): void {
    this.delete(entry.pod.metadata.uid)
    this.pods.set(entry.pod.metadata.uid, entry)
    this.#count(entry, 1)
  }

  delete(uid: string): void {
    const before = this.pods.get(uid)
    if (before === undefined) return
    this.pods.delete(uid)
    this.#count(before, -1)
  }

  /** Calls `add` for each hash and state with pods. */
  forEach(add: (hash: string, state: PodState, count: number) => void): void {
    for (const [hash, states] of this.#byHash) for (const [state, count] of states) if (count > 0) add(hash, state, count)
  }

  get nodes(): Iterable<string> {
    return this.#byNode.keys()
  }

  #count({ state, hash, node }: PodEntry, by: 1 | -1): void {
    if (state === undefined) return
    const states = this.#byHash.get(hash) ?? new Map<PodState, number>()
    this.#byHash.set(hash, states)
    states.set(state, (states.get(state) ?? 0) + by)
    if (node === '') return
    const onNode = (this.#byNode.get(node) ?? 0) + by
    if (onNode === 0) this.#byNode.delete(node)
    else this.#byNode.set(node, onNode)
  }
}

// The pods of one owner (a ReplicaSet, StatefulSet, DaemonSet or Job), counted as they change: a view never counts all pods again.
import { addCount, getOrAdd } from '../../src/base/maps.ts'
import type { PodEntry, PodState } from './pod-summary.ts'

export class OwnerCounts {
  readonly pods = new Map<string, PodEntry>()
  readonly terminating = new Set<PodEntry>()
  /** Pods by what keeps them from becoming ready. */
  readonly troubles = new Map<string, number>()
  readonly #byHash = new Map<string, Map<PodState, number>>()
  readonly #byNode = new Map<string, number>()

  set(entry: PodEntry): void {
    this.delete(entry.uid)
    this.pods.set(entry.uid, entry)
    this.#count(entry, 1)
    if (entry.state === 'terminating') this.terminating.add(entry)
  }

  delete(uid: string): void {
    const before = this.pods.get(uid)
    if (before === undefined) return
    this.pods.delete(uid)
    this.terminating.delete(before)
    this.#count(before, -1)
  }

  /** Calls `add` for each hash and state with pods. */
  forEach(add: (hash: string, state: PodState, count: number) => void): void {
    for (const [hash, states] of this.#byHash) for (const [state, count] of states) add(hash, state, count)
  }

  get nodes(): Iterable<string> {
    return this.#byNode.keys()
  }

  #count({ state, hash, node, trouble }: PodEntry, by: 1 | -1): void {
    if (state === undefined) return
    const states = getOrAdd(this.#byHash, hash, () => new Map<PodState, number>())
    addCount(states, state, by)
    if (states.size === 0) this.#byHash.delete(hash)
    if (node !== '') addCount(this.#byNode, node, by)
    if (trouble !== undefined) addCount(this.troubles, trouble, by)
  }
}

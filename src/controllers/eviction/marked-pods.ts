// The pods that are to be evicted, found by their marks and by their controller.
// Ours: surge before eviction exists in Rollcall only.

import { controllerOf } from '../../api/machinery/owners.ts'
import type { Pod, Stored } from '../../api/types.ts'
import { SetMap } from '../../base/maps.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import { isActive } from '../shared/plan/pod-state.ts'
import { hasEvictionMarks, isBeingReplaced } from './plan/eviction-marks.ts'

export class MarkedPods {
  readonly #pods: Informer<Pod>
  /** The keys of these pods, by the uid of their controller. */
  readonly #known = new SetMap<string, string>()

  constructor(pods: Informer<Pod>) {
    this.#pods = pods
    pods.onChange((current, previous) => {
      if (previous !== undefined && hasEvictionMarks(previous)) this.#known.remove(controllerOf(previous)?.uid ?? '', keyOf(previous))
      if (current !== undefined) this.#note(current)
    })
  }

  /** Must be called when the informer has synced, before anything is read. */
  start(): void {
    for (const pod of this.#pods.values()) this.#note(pod)
  }

  /** Whether the controller has such pods. */
  has(uid: string): boolean {
    return this.#known.has(uid)
  }

  /** How many active pods of the controller are being replaced before their eviction. */
  replacedOf(uid: string): number {
    let count = 0
    for (const key of this.#known.get(uid) ?? []) {
      const pod = this.#pods.get(key)
      if (pod !== undefined && isActive(pod) && isBeingReplaced(pod)) count++
    }
    return count
  }

  #note(pod: Stored<Pod>): void {
    if (hasEvictionMarks(pod)) this.#known.add(controllerOf(pod)?.uid ?? '', keyOf(pod))
  }
}

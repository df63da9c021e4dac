// Which Deployments have lost pods and got new ones between two syncs.
import type { Deployment, ReplicaSet, Stored } from '../../api/types.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import { cachedController } from '../shared/cached-controller.ts'

/**
 * A ReplicaSet reports lost pods before it reports their replacement. Both are often over before its Deployment reconciles, which then
 * observes the same counts as before, and would not notice the progress.
 */
export class ReplacedPods {
  /** By the key of a Deployment: the uids of its ReplicaSets that have lost pods since it was reconciled. */
  readonly #losers = new Map<string, Set<string>>()
  readonly #replaced = new Set<string>()
  readonly #deployments: Informer<Deployment>

  constructor(deployments: Informer<Deployment>, replicaSets: Informer<ReplicaSet>) {
    this.#deployments = deployments
    replicaSets.onChange((current, previous) => {
      if (current !== undefined && previous !== undefined) this.#compare(current, previous)
    })
  }

  #compare(current: Stored<ReplicaSet>, previous: Stored<ReplicaSet>): void {
    const change = (current.status?.replicas ?? 0) - (previous.status?.replicas ?? 0)
    const deployment = change === 0 ? undefined : cachedController(this.#deployments, 'Deployment', current)
    if (deployment === undefined) return
    const key = keyOf(deployment)
    const losers = this.#losers.get(key)
    if (change < 0) this.#losers.set(key, (losers ?? new Set()).add(current.metadata.uid))
    else if (losers?.has(current.metadata.uid)) this.#replaced.add(key)
  }

  /** Whether that happened since the last call. */
  take(key: string): boolean {
    this.#losers.delete(key)
    return this.#replaced.delete(key)
  }

  delete(key: string): void {
    this.take(key)
  }
}

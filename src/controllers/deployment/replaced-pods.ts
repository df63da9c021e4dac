// Which Deployments have lost pods and got new ones between two syncs.
// Ours: which Deployments lost pods is needed to count terminating ones.
import type { Deployment, ReplicaSet, Stored } from '../../api/types.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import { cachedController } from '../shared/cached-controller.ts'

interface PodChanges {
  /** The uids of ReplicaSets that have lost pods. */
  readonly losers: ReadonlySet<string>
  /** Whether one of them has new pods since. */
  readonly isReplaced: boolean
}

const none: PodChanges = { losers: new Set(), isReplaced: false }

/**
 * A ReplicaSet reports lost pods before it reports their replacement. Both are often over before its Deployment reconciles, which then
 * observes the same counts as before, and would not notice the progress.
 */
export class ReplacedPods {
  /** By the key of a Deployment: what has happened since its status was written. */
  readonly #changes = new Map<string, PodChanges>()
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
    const { uid } = current.metadata
    const { losers, isReplaced } = this.find(key)
    if (change < 0) this.#changes.set(key, { losers: new Set([...losers, uid]), isReplaced })
    else if (losers.has(uid) && !isReplaced) this.#changes.set(key, { losers, isReplaced: true })
  }

  find(key: string): PodChanges {
    return this.#changes.get(key) ?? none
  }

  /** The status that was written includes these changes. If there are others since, all are kept for the next sync. */
  noteWritten(key: string, changes: PodChanges): void {
    if (this.#changes.get(key) === changes) this.#changes.delete(key)
  }

  delete(key: string): void {
    this.#changes.delete(key)
  }
}

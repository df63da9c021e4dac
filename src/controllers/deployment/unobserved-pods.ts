// Whether the cache of pods may be older than the deletion of a ReplicaSet of a Deployment. The two caches are independent: when one
// shows the deletion, the other may lack pods that the ReplicaSet has created or adopted, or show it as the owner of pods that were orphaned
// with it. No status counts these pods any more.
//
// Guarantee: once `areObserved` resolves to true, the cache has had every pod that the ReplicaSets had when the caches showed their deletion.
// Caveat: a ReplicaSet controller that has not observed the deletion may create more pods after it.
// Ours: the caches of pods and of ReplicaSets are compared before pods are counted.
import { pods as podKind, replicaSets as replicaSetKind } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { formatRequirements } from '../../base/label-selector.ts'
import type { Client } from '../../client/client.ts'
import { isObserved } from '../../runtime/consistency.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import type { SharedInformers } from '../../runtime/shared-informers.ts'
import { cachedController } from '../shared/cached-controller.ts'
import { isTerminal } from '../shared/plan/pod-state.ts'
import { requirementsOf } from '../shared/plan/selectors.ts'
import { isObserved as isCurrent } from './plan/capacity.ts'

export class UnobservedPods {
  readonly #deployments: Informer<Deployment>
  readonly #sets: Informer<ReplicaSet>
  readonly #pods: Informer<Pod>
  /** By the key of a Deployment: the last deletion of one of its ReplicaSets that has to be checked. */
  readonly #unchecked = new Map<string, symbol>()

  constructor(deployments: Informer<Deployment>, informers: SharedInformers) {
    this.#deployments = deployments
    this.#sets = informers.get(replicaSetKind)
    this.#pods = informers.get(podKind)
    this.#sets.onChange((current, previous) => {
      if (current !== undefined || previous === undefined || isEmpty(previous)) return
      const deployment = cachedController(deployments, 'Deployment', previous)
      if (deployment !== undefined) this.#unchecked.set(keyOf(deployment), Symbol())
    })
  }

  /** Must be called when all informers have synced: a ReplicaSet may have been deleted between their lists. */
  start(): void {
    if (isObserved(this.#sets.observedVersion, this.#pods.observedVersion)) return
    for (const deployment of this.#deployments.values()) this.#unchecked.set(keyOf(deployment), Symbol())
  }

  /** Whether the pods have to be compared before pods may grow. */
  isUnchecked(key: string): boolean {
    return this.#unchecked.has(key)
  }

  /**
   * Resolves to false while the API server has other pods, or other owners of pods, than the cache. The watch is about to report them, and
   * `keysOf` of DeletedSets has the Deployment then. Compares with the API server once for each deletion, and not at all without one. A plan that
   * was made before must not be applied: the cache may have got these pods while the API server was asked.
   */
  async areObserved(client: Client, deployment: Stored<Deployment>): Promise<boolean> {
    const key = keyOf(deployment)
    const deletion = this.#unchecked.get(key)
    if (deletion === undefined) return true
    const { namespace = '' } = deployment.metadata
    const labelSelector = formatRequirements(requirementsOf(deployment.spec?.selector) ?? [])
    const { items } = await client.list(podKind, { namespace, labelSelector })
    // Another deletion, meanwhile, is one that the plan was made without.
    if (this.#unchecked.get(key) !== deletion || !items.every((pod) => this.#isObserved(pod))) return false
    this.#unchecked.delete(key)
    return true
  }

  delete(key: string): void {
    this.#unchecked.delete(key)
  }

  /** A ReplicaSet that exists counts its new pods by its size. */
  #isObserved(pod: Stored<Pod>): boolean {
    if (isTerminal(pod)) return true
    const cached = this.#pods.get(keyOf(pod))
    if (cached?.metadata.uid === pod.metadata.uid) return controllerOf(cached)?.uid === controllerOf(pod)?.uid
    return cachedController(this.#sets, 'ReplicaSet', pod) !== undefined
  }
}

/** One that was scaled to 0 before it reported its pods may have some. */
const isEmpty = (set: ReplicaSet): boolean =>
  set.spec?.replicas === 0 && isCurrent(set) && (set.status?.replicas ?? 0) === 0 && (set.status?.terminatingReplicas ?? 0) === 0

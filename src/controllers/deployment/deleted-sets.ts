// Tracks ReplicaSets that were deleted while some of their pods still exist.
// Ours: pods of deleted ReplicaSets count too.

import { pods as podKind, replicaSets as replicaSetKind } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, OwnerReference, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { SetMap } from '../../base/maps.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import type { SharedInformers } from '../../runtime/shared-informers.ts'
import { isUncounted, sortUncounted, type UncountedPods } from './plan/strays.ts'

export class DeletedSets {
  readonly #sets
  readonly #pods
  /** By namespace: the uids of these ReplicaSets. */
  readonly #known = new SetMap<string, string>()
  #isSynced = false

  constructor(informers: SharedInformers) {
    this.#sets = informers.get(replicaSetKind)
    this.#pods = informers.get(podKind)
    this.#sets.onChange((current, previous) => {
      if (current !== undefined || previous === undefined) return
      for (const pod of this.#pods.byIndex('owner', previous.metadata.uid)) this.#note(pod)
    })
    this.#pods.onChange((current, previous) => {
      if (current === undefined) this.#forget(previous!)
      // The pods of a set that is deleted later are noted then.
      else if (current.metadata.ownerReferences !== previous?.metadata.ownerReferences) this.#note(current)
    })
  }

  /** Must be called when both informers have synced, before anything is read. */
  start(): void {
    this.#isSynced = true
    for (const pod of this.#pods.values()) this.#note(pod)
  }

  /** The pods of deleted ReplicaSets, and pods without a controller, that the Deployment may have to count. */
  uncountedOf(deployment: Stored<Deployment>): UncountedPods {
    const namespace = deployment.metadata.namespace ?? ''
    const found = this.#pods.byIndex('orphan', namespace)
    for (const uid of [...(this.#known.get(namespace) ?? [])]) {
      const left = this.#pods.byIndex('owner', uid)
      const [first] = left
      // The ReplicaSet exists: its informer was behind that of the pods.
      if (first === undefined || !this.#isSetDeleted(first, controllerOf(first)!)) this.#known.remove(namespace, uid)
      else found.push(...left)
    }
    return sortUncounted(deployment, found)
  }

  /** The keys of the Deployments that may count the pod, or did before its change. */
  keysOf(deployments: Informer<Deployment>, pod: Stored<Pod>): string[] {
    const reference = controllerOf(pod)
    if (reference !== undefined && !this.#isSetDeleted(pod, reference)) return []
    return deployments
      .byIndex('namespace', pod.metadata.namespace ?? '')
      .filter((deployment) => isUncounted(deployment, pod))
      .map(keyOf)
  }

  /** The keys of the Deployments that count the pods of the ReplicaSet from its deletion on, or did until the cache had it. */
  keysOfSet(deployments: Informer<Deployment>, { metadata }: Stored<ReplicaSet>): readonly string[] {
    const pods = this.#pods.byIndex('owner', metadata.uid)
    return deployments
      .byIndex('namespace', metadata.namespace ?? '')
      .filter((deployment) => pods.some((pod) => isUncounted(deployment, pod)))
      .map(keyOf)
  }

  #isSetDeleted({ metadata }: Stored<Pod>, { kind, name, uid }: OwnerReference): boolean {
    return kind === 'ReplicaSet' && this.#sets.get(`${metadata.namespace}/${name}`)?.metadata.uid !== uid
  }

  #note(pod: Stored<Pod>): void {
    const reference = controllerOf(pod)
    if (!this.#isSynced || reference === undefined || !this.#isSetDeleted(pod, reference)) return
    this.#known.add(pod.metadata.namespace ?? '', reference.uid)
  }

  #forget(pod: Stored<Pod>): void {
    const uid = controllerOf(pod)?.uid
    const { namespace = '' } = pod.metadata
    if (uid === undefined || !this.#known.get(namespace)?.has(uid) || this.#pods.byIndex('owner', uid).length > 0) return
    this.#known.remove(namespace, uid)
  }
}

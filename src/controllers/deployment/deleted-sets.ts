// Tracks ReplicaSets that were deleted while some of their pods still exist.

import { pods as podKind, replicaSets as replicaSetKind } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, OwnerReference, Pod, Stored } from '../../api/types.ts'
import { SetMap } from '../../base/maps.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import type { SharedInformers } from '../../runtime/shared-informers.ts'
import { isStray, straysOf } from './plan/strays.ts'

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

  /** The pods of deleted ReplicaSets, and pods without a controller, that the Deployment has to count. */
  straysOf(deployment: Stored<Deployment>): readonly Stored<Pod>[] {
    const namespace = deployment.metadata.namespace ?? ''
    const orphans = straysOf(deployment, this.#pods.byIndex('orphan', namespace))
    const uids = this.#known.get(namespace)
    if (uids === undefined) return orphans
    const strays = [...orphans]
    for (const uid of [...uids]) {
      const left = this.#pods.byIndex('owner', uid)
      const [first] = left
      // The ReplicaSet exists: its informer was behind that of the pods.
      if (first === undefined || !this.#isSetDeleted(first, controllerOf(first)!)) this.#known.remove(namespace, uid)
      else strays.push(...straysOf(deployment, left))
    }
    return strays
  }

  /** The keys of the Deployments that count the pod, or did before its change. */
  keysOf(deployments: Informer<Deployment>, pod: Stored<Pod>): string[] {
    const reference = controllerOf(pod)
    if (reference !== undefined && !this.#isSetDeleted(pod, reference)) return []
    return deployments
      .byIndex('namespace', pod.metadata.namespace ?? '')
      .filter((deployment) => isStray(deployment, pod, reference))
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

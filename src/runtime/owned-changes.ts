// The changes of owned objects, for the controllers of their owners.
// Kubernetes: pkg/controller/replicaset.ReplicaSetController.addPod, ReplicaSetController.updatePod, ReplicaSetController.deletePod
// Kubernetes: pkg/controller/replicaset.ReplicaSetController.resolveControllerRef
import type { Kind } from '../api/machinery/kind.ts'
import { controllerOf } from '../api/machinery/owners.ts'
import type { KubernetesObject, OwnerReference, Stored } from '../api/types.ts'
import { isEqualJson } from '../base/json.ts'
import { type Informer, keyOf } from './informer.ts'

/** Objects whose controller reference names the kind of this controller: their changes enqueue the owner. */
export interface OwnedKind<T extends KubernetesObject> {
  readonly kind: Kind
  /** Whether the owner would adopt the object: a new orphan enqueues every such owner. Default: orphans are ignored. */
  selects?(owner: Stored<T>, orphan: Stored<KubernetesObject>): boolean
  /** Whether a new object that names its owner makes it reconcile only if it changes later. Default: it does at once. */
  readonly ignoresNew?: boolean
  /** Whether a change makes the owner reconcile. Default: every change does. */
  matters?(current: Stored<KubernetesObject>, previous: Stored<KubernetesObject>): boolean
  /** How long changes are collected before the owner is reconciled: a reconcile takes longer the more objects it owns. Default: 0. */
  delayMs?(key: string): number
}

interface Follower<T extends KubernetesObject> {
  /** The kind of the owner. */
  readonly kind: string
  readonly objects: Informer<T>
  readonly own: OwnedKind<T>
  readonly informer: Informer<KubernetesObject>
  enqueue(key: string, delayMs?: number): void
}

/** Several controllers own Pods: the owner of a changed pod is read once for all of them. */
const followersOf = new WeakMap<Informer<KubernetesObject>, Follower<KubernetesObject>[]>()

/** Enqueues the owners that a changed object has, had, or could have. */
export function followOwned<T extends KubernetesObject>(follower: Follower<T>): void {
  const { informer } = follower
  const followers = followersOf.get(informer)
  if (followers !== undefined) return void followers.push(follower as unknown as Follower<KubernetesObject>)
  const all = [follower as unknown as Follower<KubernetesObject>]
  followersOf.set(informer, all)
  informer.onChange((current, previous) => {
    const object = (current ?? previous)!
    const reference = controllerOf(object)
    const isSame = previous === undefined || previous.metadata.ownerReferences === object.metadata.ownerReferences
    const former = isSame ? reference : controllerOf(previous)
    const isOwnerChanged = former?.uid !== reference?.uid
    for (const each of all) {
      if (isOwnerChanged && former?.kind === each.kind) enqueueOwner(each, keyOfOwner(each, former, object))
      if (reference === undefined) {
        if (current !== undefined && (previous === undefined || isOwnerChanged || !hasEqualLabels(current, previous)))
          enqueueAdopters(each, current)
      } else if (reference.kind === each.kind) {
        const key = keyOfOwner(each, reference, object)
        const isDue = () => {
          if (current === undefined || isOwnerChanged) return true
          return previous === undefined ? !each.own.ignoresNew : (each.own.matters?.(current, previous) ?? true)
        }
        if (key !== undefined && isDue()) enqueueOwner(each, key)
      }
    }
  })
}

const hasEqualLabels = (a: Stored<KubernetesObject>, b: Stored<KubernetesObject>) => isEqualJson(a.metadata.labels, b.metadata.labels)

/** Undefined for an owner that was deleted or replaced. */
function keyOfOwner({ objects }: Follower<KubernetesObject>, { name, uid }: OwnerReference, { metadata }: Stored<KubernetesObject>) {
  const { namespace = '' } = metadata
  const key = namespace === '' ? name : `${namespace}/${name}`
  return objects.get(key)?.metadata.uid === uid ? key : undefined
}

function enqueueOwner({ own, enqueue }: Follower<KubernetesObject>, key: string | undefined): void {
  if (key !== undefined) enqueue(key, own.delayMs?.(key) ?? 0)
}

function enqueueAdopters(follower: Follower<KubernetesObject>, orphan: Stored<KubernetesObject>): void {
  const { objects, own } = follower
  const { namespace = '', deletionTimestamp } = orphan.metadata
  if (own.selects === undefined || deletionTimestamp !== undefined) return
  for (const owner of objects.byIndex('namespace', namespace)) if (own.selects(owner, orphan)) enqueueOwner(follower, keyOf(owner))
}

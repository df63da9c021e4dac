// Builds a controller from what is special about it: the kind it reconciles, the kinds it owns or watches, and the
// reconcile function. What all controllers share stands here once: nothing is reconciled before every cache has synced, nor
// while the cache lacks a write of the same controller; changes enqueue the keys they concern; a failure is retried with
// back-off; an object that is gone is forgotten. (Model: controller-runtime's For, Owns and Watches.)
import type { Kind } from '../api/machinery/kind.ts'
import { controllerOf } from '../api/machinery/owners.ts'
import { isNamespaceTerminating, isStatusError } from '../api/machinery/status-error.ts'
import type { KubernetesObject, OwnerReference, Stored } from '../api/types.ts'
import { isEqualJson } from '../base/json.ts'
import type { Client } from '../client/client.ts'
import { Consistency } from './consistency.ts'
import type { CommonParts, RunningController } from './controller-parts.ts'
import { type Informer, keyOf } from './informer.ts'
import { type ReconcileResult, startWorkers } from './workers.ts'

export interface ReconcileContext {
  /** Of the object, in the queue. */
  readonly key: string
  /** The client to write with: the next reconcile of the key waits until the cache has observed these writes. */
  readonly client: Client
}

export interface ControllerDefinition<T extends KubernetesObject> {
  /** Of the work queue, as Kubernetes names it. */
  readonly name: string
  readonly for: Kind<T>
  /**
   * How long after a change the object is reconciled; undefined: the change asks for nothing. `previous` is undefined for an
   * object that is new to this process. Default: at once.
   */
  delayOf?(current: Stored<T>, previous: Stored<T> | undefined): number | undefined
  readonly owns?: readonly OwnedKind<T>[]
  readonly watches?: readonly WatchedKind[]
  /** Informers that are read, and whose changes ask for nothing. */
  readonly reads?: readonly { readonly synced: Promise<unknown> }[]
  readonly workers: number
  /** Brings one object closer to what it should be. A rejection puts the key back after a growing delay. */
  reconcile(object: Stored<T>, context: ReconcileContext): Promise<ReconcileResult | undefined>
  /** The object is gone: what was remembered of it goes too. */
  forget?(key: string): void
}

/** Objects that have the controller's kind as their controller reference: their changes enqueue the owner. */
export interface OwnedKind<T extends KubernetesObject> {
  readonly kind: Kind
  /** Whether the owner would adopt the object: a new orphan enqueues every owner that would. Default: orphans are left alone. */
  selects?(owner: Stored<T>, orphan: Stored<KubernetesObject>): boolean
  /** Whether a change makes a difference to the owner. Default: every change does. */
  matters?(current: Stored<KubernetesObject>, previous: Stored<KubernetesObject>): boolean
  /** How long changes gather before the owner is reconciled: a reconcile takes time in proportion to what is owned. Default: 0. */
  delayMs?(key: string): number
}

export interface WatchedKind {
  readonly kind: Kind
  /** The keys that a change concerns. `previous` is undefined for a new object, `current` for one that is gone. */
  keysOf(current: Stored<KubernetesObject> | undefined, previous: Stored<KubernetesObject> | undefined): Iterable<string>
  /** How long changes gather. Default: 0. */
  delayMs?(key: string): number
}

/** An owned kind, with its type. */
export const owned = <T extends KubernetesObject, O extends KubernetesObject>(definition: {
  readonly kind: Kind<O>
  selects?(owner: Stored<T>, orphan: Stored<O>): boolean
  matters?(current: Stored<O>, previous: Stored<O>): boolean
  delayMs?(key: string): number
}): OwnedKind<T> => definition as unknown as OwnedKind<T>

/** A watched kind, with its type. */
export const watched = <O extends KubernetesObject>(
  kind: Kind<O>,
  keysOf: (current: Stored<O> | undefined, previous: Stored<O> | undefined) => Iterable<string>,
  delayMs?: (key: string) => number,
): WatchedKind => ({ kind, keysOf, ...(delayMs && { delayMs }) }) as unknown as WatchedKind

export interface BuiltController extends RunningController {
  /** Enqueues the key, now or later. Does nothing before the caches have synced: then every object is enqueued. */
  enqueue(key: string, delayMs?: number): void
}

/** So many conflicts in a row are ordinary: another writer was faster, and the cache will show it. */
const quietFailures = 10

export function buildController<T extends KubernetesObject>(parts: CommonParts, definition: ControllerDefinition<T>): BuiltController {
  const { client, clock, informers, queues, onFailure } = parts
  const { name, for: kind, owns = [], watches = [], reads = [], workers } = definition
  const objects = informers.get(kind)
  const caches: Promise<unknown>[] = [objects.synced]
  /** Keys whose reconcile waits for the cache. */
  const held = new Set<string>()
  let isSynced = false

  const loop = startWorkers({
    name,
    clock,
    ...(queues && { queues }),
    workers: parts.workers ?? workers,
    async reconcile(key) {
      const object = objects.get(key)
      if (object === undefined) {
        forget(key)
        return undefined
      }
      if (parts.isIgnored?.(object)) return undefined
      await consistency.findLostAnswers(key)
      const waitMs = consistency.waitMs(key)
      if (waitMs !== undefined) {
        held.add(key)
        return { requeueAfterMs: waitMs }
      }
      return definition.reconcile(object, { key, client: consistency.clientFor(key) })
    },
    onFailure(key, error, failures) {
      if (isNamespaceTerminating(error) || (isRace(error) && failures < quietFailures)) return
      onFailure?.(`${kind.kind} ${key}`, error)
    },
  })
  const enqueue = (key: string, delayMs = 0) => {
    if (isSynced) loop.queue.addAfter(key, delayMs)
  }
  const consistency = new Consistency({
    client,
    clock,
    informers,
    onCurrent: (key) => {
      if (held.delete(key)) enqueue(key)
    },
    onGivenUp: (key, what) => onFailure?.(`${kind.kind} ${key}`, new Error(`the watch has not reported ${what} in five minutes: going on`)),
  })
  const forget = (key: string) => {
    held.delete(key)
    consistency.forget(key)
    definition.forget?.(key)
  }

  const enqueueChange = (current: Stored<T>, previous: Stored<T> | undefined) => {
    const delayMs = definition.delayOf === undefined ? 0 : definition.delayOf(current, previous)
    if (delayMs !== undefined) enqueue(keyOf(current), delayMs)
  }

  objects.onChange((current, previous) => {
    const key = keyOf((current ?? previous)!)
    if (current === undefined) {
      forget(key)
      // What the reconcile under way remembers is forgotten when it has ended.
      if (loop.queue.isWorkedOn(key)) enqueue(key)
    } else enqueueChange(current, previous)
  })
  for (const own of owns) {
    const informer = informers.get(own.kind)
    caches.push(informer.synced)
    followOwned({ kind: kind.kind, objects, own, informer, enqueue })
  }
  for (const { kind: other, keysOf, delayMs } of watches) {
    const informer = informers.get(other)
    caches.push(informer.synced)
    informer.onChange((current, previous) => {
      if (isSynced) for (const key of keysOf(current, previous)) enqueue(key, delayMs?.(key) ?? 0)
    })
  }
  for (const { synced } of reads) caches.push(synced)

  return {
    enqueue,
    synced: Promise.all(caches).then(() => {
      isSynced = true
      for (const object of objects.values()) enqueueChange(object, undefined)
    }),
    async stop() {
      isSynced = false
      await loop.stop()
    },
  }
}

interface Follower<T extends KubernetesObject> {
  /** Of the owner. */
  readonly kind: string
  readonly objects: Informer<T>
  readonly own: OwnedKind<T>
  readonly informer: Informer<KubernetesObject>
  enqueue(key: string, delayMs?: number): void
}

/** Brings the changes of owned objects to the owners they have, had, or could have. */
function followOwned<T extends KubernetesObject>({ kind, objects, own, informer, enqueue }: Follower<T>): void {
  /** Undefined for references to other kinds, and to owners that are gone or were replaced. */
  const keyOfOwner = (reference: OwnerReference | undefined, namespace = ''): string | undefined => {
    if (reference?.kind !== kind) return undefined
    const key = namespace === '' ? reference.name : `${namespace}/${reference.name}`
    return objects.get(key)?.metadata.uid === reference.uid ? key : undefined
  }
  const enqueueOwner = (key: string) => enqueue(key, own.delayMs?.(key) ?? 0)
  informer.onChange((current, previous) => {
    const object = (current ?? previous)!
    const { namespace } = object.metadata
    const reference = controllerOf(object)
    const former = previous === undefined ? reference : controllerOf(previous)
    const isOwnerChanged = former?.uid !== reference?.uid
    if (isOwnerChanged) {
      const key = keyOfOwner(former, namespace)
      if (key !== undefined) enqueueOwner(key)
    }
    if (reference === undefined) {
      if (own.selects === undefined || current === undefined || current.metadata.deletionTimestamp !== undefined) return
      if (previous !== undefined && !isOwnerChanged && isEqualJson(current.metadata.labels, previous.metadata.labels)) return
      for (const owner of objects.byIndex('namespace', namespace ?? '')) if (own.selects(owner, current)) enqueueOwner(keyOf(owner))
      return
    }
    const key = keyOfOwner(reference, namespace)
    if (key === undefined) return
    if (current === undefined || previous === undefined || isOwnerChanged || (own.matters?.(current, previous) ?? true)) enqueueOwner(key)
  })
}

const isRace = (error: unknown) =>
  isStatusError(error, 'Conflict') || isStatusError(error, 'AlreadyExists') || isStatusError(error, 'NotFound')

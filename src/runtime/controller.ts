// Builds a controller from its definition: the kind it reconciles, the kinds it owns or watches, and the reconcile function.
// (Model: controller-runtime's For, Owns and Watches.)
//
// Guarantees: no object is reconciled before every cache has synced, nor while the cache lacks a write of the same controller.
// A change enqueues the keys it concerns. A failed reconcile is retried with back-off. A deleted object is forgotten.
// Ours: controllers are built from their definitions.
import type { Kind } from '../api/machinery/kind.ts'
import { isNamespaceTerminating, isStatusError } from '../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../api/types.ts'
import type { Client } from '../client/client.ts'
import { Consistency } from './consistency.ts'
import type { CommonParts, RunningController } from './controller-parts.ts'
import { keyOf } from './informer.ts'
import { followOwned, type OwnedKind } from './owned-changes.ts'
import { type ReconcileResult, type RetryDelays, startWorkers } from './workers.ts'

export interface ReconcileContext {
  /** The key of the object in the queue. */
  readonly key: string
  /** The client to write with: the next reconcile of the key waits until the cache has observed these writes. */
  readonly client: Client
}

interface ControllerDefinition<T extends KubernetesObject> {
  /** Of the work queue, as Kubernetes names it. */
  readonly name: string
  readonly for: Kind<T>
  /**
   * How long after a change the object is reconciled; undefined if the change needs no reconcile. `previous` is undefined for
   * an object that is new to this process. Default: at once.
   */
  delayOf?(current: Stored<T>, previous: Stored<T> | undefined): number | undefined
  /**
   * Whether a status write of this controller, which changed the object from `previous` to `current`, needs no reconcile: one that reads the
   * same caches would write nothing, unless the last one requested it with `requeueAfterMs`. Default: every write needs one.
   */
  isSettledBy?(current: Stored<T>, previous: Stored<T>): boolean
  readonly owns?: readonly OwnedKind<T>[]
  readonly watches?: readonly WatchedKind[]
  /** Informers that are read, and whose changes enqueue nothing. */
  readonly reads?: readonly { readonly synced: Promise<unknown> }[]
  readonly workers: number
  readonly retryDelays?: RetryDelays
  /** A rejection puts the key back after a delay that grows with each failure. */
  reconcile(object: Stored<T>, context: ReconcileContext): Promise<ReconcileResult | undefined>
  /** What is kept about each object, by its key. It is deleted with the object. */
  readonly state?: readonly { delete(key: string): unknown }[]
  /** Called when the object was deleted, for other state about it. */
  forget?(key: string): void
}

export interface WatchedKind {
  readonly kind: Kind
  /** The keys that a change concerns. `previous` is undefined for a new object, `current` for a deleted one. */
  keysOf(current: Stored<KubernetesObject> | undefined, previous: Stored<KubernetesObject> | undefined): Iterable<string>
  /** How long changes are collected. Default: 0. */
  delayMs?(key: string): number
}

/** An owned kind, with its type. */
export const owned = <T extends KubernetesObject, O extends KubernetesObject>(definition: {
  readonly kind: Kind<O>
  selects?(owner: Stored<T>, orphan: Stored<O>): boolean
  readonly ignoresNew?: boolean
  matters?(current: Stored<O>, previous: Stored<O>): boolean
  delayMs?(key: string): number
}): OwnedKind<T> => definition as OwnedKind<T>

/** A watched kind, with its type. */
export const watched = <O extends KubernetesObject>(
  kind: Kind<O>,
  keysOf: (current: Stored<O> | undefined, previous: Stored<O> | undefined) => Iterable<string>,
  delayMs?: (key: string) => number,
): WatchedKind => ({ kind, keysOf, ...(delayMs && { delayMs }) }) as WatchedKind

interface BuiltController extends RunningController {
  /** Enqueues the key, now or later. Does nothing before the caches have synced: then every object is enqueued. */
  enqueue(key: string, delayMs?: number): void
}

/** Conflicts are reported from this many in a row on. Fewer are normal: another writer was faster, and the cache will catch up. */
const reportedConflicts = 10

export function buildController<T extends KubernetesObject>(parts: CommonParts, definition: ControllerDefinition<T>): BuiltController {
  const { client, clock, informers, queues, onFailure } = parts
  const { name, for: kind, owns = [], watches = [], reads = [], state = [], workers, retryDelays } = definition
  const objects = informers.get(kind)
  const caches: Promise<unknown>[] = [objects.synced]
  /** Keys that were not reconciled because the cache was behind. */
  const held = new Set<string>()
  /** The keys that are being reconciled, with the change of the object since then: whether it was the controller's own write is known at the end. */
  const reconciled = new Map<string, { readonly current: Stored<T>; readonly previous: Stored<T> | undefined } | undefined>()
  let isSynced = false

  const loop = startWorkers({
    name,
    clock,
    queues,
    workers: parts.workers ?? workers,
    minIntervalMs: parts.minIntervalMs,
    ...(retryDelays && { retryDelays }),
    async reconcile(key) {
      const object = objects.get(key)
      if (object === undefined) {
        forget(key)
        return undefined
      }
      if (parts.isIgnored?.(object)) return undefined
      const aloneMs = parts.leftAloneMs?.(object)
      if (aloneMs !== undefined) return { requeueAfterMs: aloneMs }
      await consistency.findLostAnswers(key)
      const waitMs = consistency.waitMs(key)
      if (waitMs !== undefined) {
        held.add(key)
        return { requeueAfterMs: waitMs }
      }
      reconciled.set(key, undefined)
      try {
        return await definition.reconcile(object, { key, client: consistency.clientFor(key) })
      } finally {
        const change = reconciled.get(key)
        reconciled.delete(key)
        if (change !== undefined) enqueueChange(change.current, change.previous)
      }
    },
    onFailure(key, error, failures) {
      if (isReported(error, failures)) onFailure?.(`${kind.kind} ${key}`, error)
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
    onGivenUp: (key, what) =>
      onFailure?.(`${kind.kind} ${key}`, new Error(`the watch has not reported ${what} in five minutes: reconciling without it`)),
  })
  const forget = (key: string) => {
    held.delete(key)
    consistency.forget(key)
    for (const kept of state) kept.delete(key)
    definition.forget?.(key)
  }

  const enqueueChange = (current: Stored<T>, previous: Stored<T> | undefined) => {
    const key = keyOf(current)
    if (definition.isSettledBy !== undefined) {
      if (reconciled.has(key)) {
        reconciled.set(key, { current, previous: reconciled.get(key)?.previous ?? previous })
        return
      }
      if (previous !== undefined && consistency.isOwnStatus(key, current) && definition.isSettledBy(current, previous)) return
    }
    const delayMs = definition.delayOf === undefined ? 0 : definition.delayOf(current, previous)
    if (delayMs !== undefined) enqueue(key, delayMs)
  }

  objects.onChange((current, previous) => {
    const key = keyOf((current ?? previous)!)
    if (current === undefined) {
      forget(key)
      // A reconcile in progress may store new state about the key, which is dropped when it has ended.
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

/** Whether a failed reconcile is reported: every failure, except a write that another writer was faster than. */
export function isReported(error: unknown, failures: number): boolean {
  if (isNamespaceTerminating(error)) return false
  const isRace = isStatusError(error, 'Conflict') || isStatusError(error, 'AlreadyExists') || isStatusError(error, 'NotFound')
  return !isRace || failures >= reportedConflicts
}

// Read your own writes: which writes of a controller has its cache not observed yet? While there are any, the controller
// must not decide: a decision on a cache that lacks its own last step would take that step twice. (Model: the
// ConsistencyStore of Kubernetes 1.36.)
//
// Guarantees: between a write and its observation `isCurrent` is false; `onCurrent` is called when the last write of a key has
// been observed. Writes are observed in any order, also before their answer arrives.
// Caveats: writes to kinds that no informer watches are not tracked. A write that is not observed within five minutes is given
// up, as in Kubernetes: waiting longer would not help.
// Kubernetes: pkg/controller/util/consistency.RealConsistencyStore.*
import type { Resource } from '../api/machinery/kind.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import { Heap } from '../base/heap.ts'
import { getOrAdd, SetMap } from '../base/maps.ts'
import type { Client, ObjectRef } from '../client/client.ts'
import { type Informer, keyOf } from './informer.ts'
import type { SharedInformers } from './shared-informers.ts'

interface ConsistencyOptions {
  readonly client: Client
  readonly clock: Clock
  readonly informers: SharedInformers
  /** Every write of the key has been observed: it can be reconciled. */
  onCurrent(key: string): void
  /** A write was given up. */
  onGivenUp?(key: string, what: string): void
}

interface PendingWrite {
  readonly key: string
  readonly what: string
  readonly untilMs: number
  /** Observed when the informer has reached this version. */
  readonly version?: string
  isPending: boolean
}

/** A write whose answer was lost: it may have been carried out. */
interface LostAnswer {
  readonly resource: Resource
  readonly ref: ObjectRef | { readonly namespace: string | undefined; readonly labelSelector: string }
}

/** How long a write may stay unobserved before it is given up. */
export const observationTimeoutMs = 5 * 60 * 1000

export class Consistency {
  readonly #options: ConsistencyOptions
  readonly #pending = new SetMap<string, PendingWrite>()
  readonly #lost = new Map<string, LostAnswer[]>()
  /** By key: the version that the last status write of its object resulted in. */
  readonly #statuses = new Map<string, string>()
  readonly #tracked = new Map<Informer<KubernetesObject>, TrackedInformer>()

  constructor(options: ConsistencyOptions) {
    this.#options = options
  }

  /** The client that a reconcile of `key` writes with: its writes are pending until the cache has observed them. */
  clientFor(key: string): Client {
    const { client } = this.#options
    const remember = async <T extends KubernetesObject>(
      resource: Resource<T>,
      target: LostAnswer['ref'],
      before: string | undefined,
      write: () => Promise<Stored<T>>,
    ): Promise<Stored<T>> => {
      try {
        const stored = await write()
        const version = stored.metadata.resourceVersion
        // A write that changes nothing keeps the version, and is not reported by the watch.
        if (version !== before) this.#expectVersion(key, resource, keyOf(stored), version)
        return stored
      } catch (error) {
        if (isAnswerLost(error)) this.#loseAnswer(key, { resource, ref: target })
        throw error
      }
    }
    return {
      ...client,
      create: (resource, namespace, object, options) =>
        remember(resource, targetOf(namespace, object), undefined, () => client.create(resource, namespace, object, options)),
      update: (resource, object, options) =>
        remember(resource, refOf(object), object.metadata?.resourceVersion, () => client.update(resource, object, options)),
      updateStatus: async (resource, object, options) => {
        const write = () => client.updateStatus(resource, object, options)
        const stored = await remember(resource, refOf(object), object.metadata?.resourceVersion, write)
        this.#statuses.set(key, stored.metadata.resourceVersion)
        return stored
      },
      patch: (resource, ref, type, patch, options) =>
        remember(resource, ref, this.#cached(resource, ref)?.metadata.resourceVersion, () =>
          client.patch(resource, ref, type, patch, options),
        ),
      delete: async (resource, ref, options) => {
        const uid = options?.preconditions?.uid ?? this.#cached(resource, ref)?.metadata.uid
        try {
          await client.delete(resource, ref, options)
        } catch (error) {
          if (isAnswerLost(error)) this.#loseAnswer(key, { resource, ref })
          throw error
        }
        if (uid !== undefined) this.#expectDeletion(key, resource, ref, uid)
      },
    }
  }

  /** Whether the cache contains every write of the key. */
  isCurrent(key: string): boolean {
    return !this.#lost.has(key) && this.waitMs(key) === undefined
  }

  /** Whether this state of the key's object is the result of the key's last status write: nothing else has changed since. */
  isOwnStatus(key: string, { metadata }: Stored<KubernetesObject>): boolean {
    return this.#statuses.get(key) === metadata.resourceVersion
  }

  /** How long until all pending writes are given up; undefined when there are none. */
  waitMs(key: string): number | undefined {
    const writes = this.#pending.get(key)
    if (writes === undefined) return undefined
    const nowMs = this.#options.clock.now()
    let untilMs = 0
    for (const write of writes) {
      if (write.untilMs > nowMs) untilMs = Math.max(untilMs, write.untilMs)
      else {
        this.#remove(write)
        this.#options.onGivenUp?.(key, write.what)
      }
    }
    return untilMs === 0 ? undefined : untilMs - nowMs
  }

  /**
   * Asks the server what became of the writes whose answers were lost; those that were carried out are pending from then on.
   * Rejects while the server cannot be reached.
   */
  async findLostAnswers(key: string): Promise<void> {
    const lost = this.#lost.get(key)
    if (lost === undefined) return
    for (const { resource, ref } of lost) {
      for (const { metadata } of await this.#readObjects(resource, ref))
        this.#expectVersion(key, resource, keyOf({ metadata }), metadata.resourceVersion)
    }
    this.#lost.delete(key)
  }

  /** The object of the key was deleted. */
  forget(key: string): void {
    this.#lost.delete(key)
    this.#statuses.delete(key)
    for (const write of this.#pending.take(key)) write.isPending = false
  }

  async #readObjects(resource: Resource, ref: LostAnswer['ref']): Promise<readonly Stored<KubernetesObject>[]> {
    const { client } = this.#options
    if (!('name' in ref)) {
      const { namespace, labelSelector } = ref
      return (await client.list(resource, { ...(namespace !== undefined && { namespace }), labelSelector })).items
    }
    try {
      return [await client.get(resource, ref)]
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return []
      throw error
    }
  }

  #cached(resource: Resource, ref: ObjectRef): Stored<KubernetesObject> | undefined {
    return this.#options.informers.find(resource)?.get(keyOf({ metadata: ref }))
  }

  #expectVersion(key: string, resource: Resource, object: string, version: string): void {
    const tracked = this.#track(resource)
    if (tracked === undefined || isObserved(version, tracked.informer.observedVersion)) return
    tracked.versions.push(this.#add(key, `${resource.kind} ${object} at version ${version}`, version))
  }

  #expectDeletion(key: string, resource: Resource, ref: ObjectRef, uid: string): void {
    const tracked = this.#track(resource)
    const cached = tracked?.informer.get(keyOf({ metadata: ref }))
    if (tracked === undefined || cached === undefined || cached.metadata.uid !== uid || isBeingDeleted(cached)) return
    const write = this.#add(key, `deletion of ${resource.kind} ${keyOf({ metadata: ref })}`)
    getOrAdd(tracked.deletions, uid, () => []).push(write)
  }

  #add(key: string, what: string, version?: string): PendingWrite {
    const untilMs = this.#options.clock.now() + observationTimeoutMs
    const write: PendingWrite = { key, what, untilMs, ...(version !== undefined && { version }), isPending: true }
    this.#pending.add(key, write)
    return write
  }

  #loseAnswer(key: string, lost: LostAnswer): void {
    getOrAdd(this.#lost, key, () => []).push(lost)
  }

  #observed(write: PendingWrite): void {
    if (!write.isPending) return
    this.#remove(write)
    if (!this.#pending.has(write.key)) this.#options.onCurrent(write.key)
  }

  #remove(write: PendingWrite): void {
    write.isPending = false
    this.#pending.remove(write.key, write)
  }

  #track(resource: Resource): TrackedInformer | undefined {
    const informer = this.#options.informers.find(resource)
    if (informer === undefined) return undefined
    const known = this.#tracked.get(informer)
    if (known !== undefined) return known
    const versions = new Heap<PendingWrite>((one, other) => isOlderVersion(one.version!, other.version!))
    const deletions = new Map<string, PendingWrite[]>()
    const tracked = { informer, versions, deletions }
    this.#tracked.set(informer, tracked)
    informer.onProgress((observed) => {
      if (this.#pending.size === 0) return
      while (versions.top !== undefined && (!versions.top.isPending || isObserved(versions.top.version!, observed)))
        this.#observed(versions.pop()!)
    })
    informer.onChange((current, previous) => {
      if (deletions.size === 0 || (current !== undefined && !isBeingDeleted(current))) return
      const { uid } = (current ?? previous)!.metadata
      const writes = deletions.get(uid)
      if (writes === undefined) return
      deletions.delete(uid)
      for (const write of writes) this.#observed(write)
    })
    return tracked
  }
}

interface TrackedInformer {
  readonly informer: Informer<KubernetesObject>
  /** The oldest version on top. */
  readonly versions: Heap<PendingWrite>
  /** By the uid of the object. */
  readonly deletions: Map<string, PendingWrite[]>
}

/** Whether the request may have been carried out although it failed. */
const isAnswerLost = (error: unknown): boolean => !isStatusError(error) || (error.status.code ?? 500) >= 500

const isBeingDeleted = ({ metadata }: KubernetesObject) => metadata?.deletionTimestamp !== undefined

const refOf = ({ metadata }: KubernetesObject): ObjectRef => ({
  name: metadata?.name ?? '',
  ...(metadata?.namespace !== undefined && { namespace: metadata.namespace }),
})

/** How to find the object of a create: by its name, or by its labels if the server generates the name. */
function targetOf(namespace: string | undefined, { metadata }: KubernetesObject): LostAnswer['ref'] {
  if (metadata?.name !== undefined) return { name: metadata.name, ...(namespace !== undefined && { namespace }) }
  const labels = Object.entries(metadata?.labels ?? {}).map(([name, value]) => `${name}=${value}`)
  return { namespace, labelSelector: labels.join(',') }
}

// Order of resource versions. Kubernetes guarantees it since 1.35; servers on etcd have always had it.
// Kubernetes: k8s.io/apimachinery/pkg/util/resourceversion.CompareResourceVersion

/** Whether a cache that has observed `observed` contains the write that made `written`. Versions that are not numbers are only compared for equality. */
export function isObserved(written: string, observed: string): boolean {
  if (!isNumber(written) || !isNumber(observed)) return written === observed
  return written.length < observed.length || (written.length === observed.length && written <= observed)
}

/** Whether `one` is older than `other`. */
export const isOlderVersion = (one: string, other: string) => one !== other && isObserved(one, other)

const isNumber = (version: string) => /^[1-9][0-9]*$/.test(version) || version === '0'

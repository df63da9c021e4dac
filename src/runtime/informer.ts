// A cache of all objects of a resource, kept up to date by a list and a watch. Handlers are called after the cache was
// updated: what they read from it is never older than the change that they are called with.
//
// Guarantees: handlers observe the changes of one object in order, and always its last state. When the server no longer has
// the changes since the last one (410 Gone), the cache is compared with a new list and handlers are called for the differences.
// Caveat: intermediate states may be skipped.
// Kubernetes: k8s.io/client-go/tools/cache.Reflector.ListAndWatchWithContext, sharedIndexInformer.OnUpdate, sharedIndexInformer.OnAdd
// Kubernetes: k8s.io/client-go/tools/cache.sharedIndexInformer.OnDelete
import type { Resource } from '../api/machinery/kind.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../api/types.ts'
import { backoffMs } from '../base/backoff.ts'
import type { CancelTimer, Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import { PartSharing, shareParts } from '../base/share-parts.ts'
import type { Client, ListAnswer, WatchEvent } from '../client/client.ts'

/** What the cache holds for each object: the object itself, or less. */
interface CachedObject {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string; readonly resourceVersion: string }
}

type ChangeHandler<K> = (current: K | undefined, previous: K | undefined) => void

interface InformerOptions<T extends KubernetesObject, K extends CachedObject> {
  readonly client: Client
  readonly resource: Resource<T>
  readonly clock: Clock
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** No handler, index or transformation reads metadata.managedFields of watched changes. */
  readonly omitsManagedFields?: boolean
  /** What the cache holds of an object. Default: the object itself, shared. */
  transform?(object: Stored<T>): K
  /**
   * Objects of one group, such as the pods of one owner, have many equal parts: these are held once. The objects that the client
   * returns are changed for it. Default: every object is held as it was received.
   */
  groupOf?(object: K): string
  /** No cache: handlers are notified of every object and every change, more than once after a relist, which misses deletions. */
  readonly withoutCache?: boolean
  /** By name: the values under which `byIndex` finds an object. */
  readonly indexes?: Readonly<Record<string, (object: K) => readonly string[]>>
  /** A quick check whether two states of an object have the same values in all indexes. Default: the values are compared. */
  hasSameIndexValues?(current: K, previous: K): boolean
  /** Jitter for retries, so that not all clients of a restarted server ask at once. Default: none. */
  readonly random?: Random
  /** Called when a list or watch failed; the informer retries. */
  onFailure?(error: unknown): void
}

/** `namespace/name`, or the name alone for kinds without namespaces. */
export function keyOf({ metadata }: { readonly metadata?: { readonly namespace?: string | undefined; readonly name?: string } }): string {
  const name = metadata?.name ?? ''
  return metadata?.namespace ? `${metadata.namespace}/${name}` : name
}

export function splitKey(key: string): { readonly namespace?: string; readonly name: string } {
  const slash = key.indexOf('/')
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}

const statusOf = (object: CachedObject) => (object as { readonly status?: object }).status

/** The server no longer has the changes since the version that was asked for. */
const isExpired = (error: unknown) =>
  isStatusError(error, 'Expired') || isStatusError(error, 'Gone') || (isStatusError(error) && error.status.code === 410)

const pageSize = 500
const waitLimits = { firstMs: 100, maxMs: 30_000 }
const maxResumes = 5

/** The place of an object in the cache. Indexes refer to it, so that an update need not touch them. */
interface Cell<K> {
  object: K
}

type Index<K> = Map<string, Set<Cell<K>>>

export class Informer<T extends KubernetesObject, K extends CachedObject = Stored<T>> {
  readonly #options: InformerOptions<T, K>
  readonly #cache = new Map<string, Cell<K>>()
  readonly #indexes = new Map<string, Index<K>>()
  readonly #indexed: { readonly valuesOf: (object: K) => readonly string[]; readonly index: Index<K> }[] = []
  readonly #sharing = new PartSharing<K>()
  #handlers: ChangeHandler<K>[] = []
  #progressHandlers: ((observedVersion: string) => void)[] = []
  #observedVersion = ''
  #synced = false
  #stopped = false
  #closeWatch: () => void = () => {}
  #cancelRetry: CancelTimer = () => {}
  /** In a row, without a watch that worked in between. */
  #failures = 0
  /** Watches in a row that could not be resumed, without one that worked in between. */
  #expiries = 0
  /** Watches since the last list that failed. */
  #resumes = 0
  #resolveSynced: () => void = () => {}
  /** Resolves when the first list is in the cache. */
  readonly synced = new Promise<void>((resolve) => {
    this.#resolveSynced = resolve
  })

  constructor(options: InformerOptions<T, K>) {
    this.#options = options
    for (const [name, valuesOf] of Object.entries(options.indexes ?? {})) {
      const index: Index<K> = new Map()
      this.#indexes.set(name, index)
      this.#indexed.push({ valuesOf, index })
    }
  }

  get hasSynced(): boolean {
    return this.#synced
  }

  get size(): number {
    return this.#cache.size
  }

  get(key: string): K | undefined {
    return this.#cache.get(key)?.object
  }

  *values(): IterableIterator<K> {
    for (const { object } of this.#cache.values()) yield object
  }

  /** The objects under `value` of the index. */
  byIndex(index: string, value: string): K[] {
    const found: K[] = []
    // forEach: an iterator would allocate an object for each of what may be thousands.
    this.#indexes
      .get(index)
      ?.get(value)
      ?.forEach(({ object }) => {
        found.push(object)
      })
    return found
  }

  /** The length of `byIndex`. */
  countByIndex(index: string, value: string): number {
    return this.#indexes.get(index)?.get(value)?.size ?? 0
  }

  /** Handlers that are added before `start` are called for every object. Returns a function that removes the handler. */
  onChange(handler: ChangeHandler<K>): () => void {
    this.#handlers.push(handler)
    return () => {
      this.#handlers = this.#handlers.filter((other) => other !== handler)
    }
  }

  /** Every change up to this version is in the cache. Empty before the first list. */
  get observedVersion(): string {
    return this.#observedVersion
  }

  /** Called whenever `observedVersion` has moved, after the handlers of the changes that moved it. */
  onProgress(handler: (observedVersion: string) => void): void {
    this.#progressHandlers.push(handler)
  }

  #advance(version: string): void {
    if (version === '' || version === this.#observedVersion) return
    this.#observedVersion = version
    for (const handler of this.#progressHandlers) handler(version)
  }

  start(): void {
    void this.#listAndWatch()
  }

  stop(): void {
    this.#stopped = true
    this.#closeWatch()
    this.#cancelRetry()
  }

  async #listAndWatch(): Promise<void> {
    if (this.#stopped) return
    try {
      const resourceVersion = await this.#list()
      this.#resumes = 0
      this.#advance(resourceVersion)
      if (!this.#synced) {
        this.#synced = true
        this.#resolveSynced()
      }
      this.#watch(resourceVersion)
    } catch (error) {
      this.#retry(error, () => void this.#listAndWatch())
    }
  }

  #retry(error: unknown, run: () => void): void {
    if (this.#stopped) return
    this.#options.onFailure?.(error)
    this.#backOff(run)
  }

  /** The wait doubles with each failure in a row; up to as much again is added at random. */
  #backOff(run: () => void): void {
    const waitMs = backoffMs(++this.#failures, waitLimits)
    this.#cancelRetry = this.#options.clock.after(waitMs * (1 + (this.#options.random?.next() ?? 0)), run)
  }

  /** Reads all pages, and calls the handlers for everything that differs from the cache. */
  async #list(): Promise<string> {
    const { client, resource, namespace, labelSelector, fieldSelector } = this.#options
    const selection = {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector && { labelSelector }),
      ...(fieldSelector && { fieldSelector }),
    }
    const seen = new Set<string>()
    let next: string | undefined
    let limit: number | undefined = pageSize
    for (;;) {
      let page: ListAnswer<Stored<T>>
      try {
        page = await client.list(resource, { ...selection, ...(limit && { limit }), ...(next !== undefined && { continue: next }) })
      } catch (error) {
        if (next === undefined || !isExpired(error)) throw error
        // The pages took longer than the server keeps old versions: everything is read again, in one piece.
        next = undefined
        limit = undefined
        seen.clear()
        continue
      }
      if (this.#stopped) return page.resourceVersion
      for (const object of page.items) {
        seen.add(keyOf(object))
        this.#put(object)
      }
      next = page.continue
      if (next === undefined || next === '') {
        for (const key of [...this.#cache.keys()]) if (!seen.has(key)) this.#remove(key)
        return page.resourceVersion
      }
      // Yield to the event loop between two pages.
      await new Promise<void>((resolve) => this.#options.clock.after(0, resolve))
    }
  }

  #watch(from: string): void {
    if (this.#stopped) return
    const { client, resource, namespace, labelSelector, fieldSelector } = this.#options
    const { clock } = this.#options
    const startedAtMs = clock.now()
    let resourceVersion = from
    let hasEvents = false
    const noteSuccess = () => {
      hasEvents = true
      this.#failures = 0
      this.#expiries = 0
      this.#resumes = 0
    }
    this.#closeWatch = client.watch(
      resource,
      {
        resourceVersion,
        ...(this.#options.omitsManagedFields && { omitsManagedFields: true }),
        ...(namespace !== undefined && { namespace }),
        ...(labelSelector && { labelSelector }),
        ...(fieldSelector && { fieldSelector }),
      },
      {
        onEvents: (events) => {
          noteSuccess()
          for (const { type, object } of events) {
            this.#apply(type, object)
            resourceVersion = object.metadata.resourceVersion
          }
          this.#advance(resourceVersion)
        },
        onEnd: (error) => {
          if (this.#stopped) return
          // A quiet watch that lived long worked too: nothing had changed.
          if (clock.now() - startedAtMs >= waitLimits.maxMs) noteSuccess()
          const relist = () => void this.#listAndWatch()
          // After several failures in a row a new list is read: the server may no longer know the version, as after a restored backup.
          const resume = () => (this.#resumes++ >= maxResumes ? relist() : this.#watch(resourceVersion))
          // Back off from a server that answers every watch with it.
          if (isExpired(error)) this.#expiries++ === 0 ? relist() : this.#retry(error, relist)
          // The cache is still valid: the watch resumes from the last version.
          else if (error !== undefined) this.#retry(error, resume)
          // Back off from a server that ends watches as soon as they begin.
          else if (hasEvents) clock.after(0, resume)
          else this.#backOff(resume)
        },
      },
    )
  }

  #apply(type: WatchEvent<Stored<T>>['type'], object: Stored<T>): void {
    if (type === 'BOOKMARK') return
    if (type === 'DELETED') this.#remove(keyOf(object), object)
    else this.#put(object)
  }

  #put(object: Stored<T>): void {
    const key = keyOf(object)
    let cell = this.#cache.get(key)
    if (cell !== undefined && cell.object.metadata.resourceVersion === object.metadata.resourceVersion) return
    if (this.#options.withoutCache) {
      for (const handler of this.#handlers) handler(this.#transform(object), undefined)
      return
    }
    const { groupOf } = this.#options
    const shown = this.#transform(object)
    const current = groupOf === undefined ? shown : this.#share(groupOf(shown), shown, cell?.object)
    // The object was deleted and created again, and the deletion was missed.
    if (cell !== undefined && cell.object.metadata.uid !== current.metadata.uid) {
      this.#remove(key)
      cell = undefined
    }
    const previous = cell?.object
    if (cell === undefined) {
      cell = { object: current }
      this.#cache.set(key, cell)
    } else cell.object = current
    if (this.#indexed.length > 0 && (previous === undefined || !this.#options.hasSameIndexValues?.(current, previous)))
      this.#reindex(cell, current, previous)
    for (const handler of this.#handlers) handler(current, previous)
  }

  #remove(key: string, last?: Stored<T>): void {
    const cell = this.#cache.get(key)
    // Without a cache every deletion is reported; otherwise those of objects that handlers know.
    if (cell === undefined && (last === undefined || !this.#options.withoutCache)) return
    if (cell !== undefined) {
      this.#cache.delete(key)
      this.#reindex(cell, undefined, cell.object)
      const { groupOf } = this.#options
      if (groupOf !== undefined) this.#sharing.forget(groupOf(cell.object), cell.object.metadata.uid)
    }
    const final = last === undefined ? cell!.object : this.#transform(last)
    for (const handler of this.#handlers) handler(undefined, final)
  }

  #transform(object: Stored<T>): K {
    return this.#options.transform ? this.#options.transform(object) : (object as unknown as K)
  }

  #share(group: string, object: K, previous: K | undefined): K {
    const { uid } = object.metadata
    if (previous === undefined) return this.#sharing.share(group, uid, object)
    const shared = shareParts(object, previous)
    return statusOf(shared) === statusOf(previous) ? shared : this.#sharing.shareStatus(group, uid, shared)
  }

  #reindex(cell: Cell<K>, current: K | undefined, previous: K | undefined): void {
    for (const { valuesOf, index } of this.#indexed) {
      const before = previous === undefined ? none : valuesOf(previous)
      const after = current === undefined ? none : valuesOf(current)
      // The common case: the value stays the same.
      if (before.length === 1 && after.length === 1 && before[0] === after[0]) continue
      for (const value of before) {
        if (after.includes(value)) continue
        const cells = index.get(value)
        cells?.delete(cell)
        if (cells?.size === 0) index.delete(value)
      }
      for (const value of after) {
        if (before.includes(value)) continue
        const cells = index.get(value)
        if (cells === undefined) index.set(value, new Set([cell]))
        else cells.add(cell)
      }
    }
  }
}

const none: readonly string[] = []

// Reads and writes objects, in this process or on any Kubernetes API server. Controllers know nothing else about the server.
// Returned objects have their kind and apiVersion, also in lists and watches. They are shared and must not be changed.
import type { Resource } from '../api/machinery/kind.ts'
import type { KubernetesObject, Stored } from '../api/types.ts'

export interface ObjectRef {
  /** Absent for kinds without namespaces. */
  readonly namespace?: string | undefined
  readonly name: string
}

export interface ListRequest {
  /** Absent: all namespaces. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
}

export interface ListAnswer<T> {
  readonly items: readonly T[]
  readonly resourceVersion: string
  readonly continue?: string
}

type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'

export interface WatchEvent<T> {
  readonly type: WatchEventType
  readonly object: T
}

interface WatchRequest {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Changes after this version are reported. */
  readonly resourceVersion: string
  /** The caller does not read metadata.managedFields: the client may leave them out. */
  readonly omitsManagedFields?: boolean
}

export interface WatchHandlers<T> {
  /** Called with the changes in order; several that became visible together come together. */
  onEvents(events: readonly WatchEvent<T>[]): void
  /** The watch has ended: with a StatusError (410 Gone: list again), another error, or none when the server closed it. Not called after the caller ended it. */
  onEnd(error?: Error): void
}

export interface WriteOptions {
  /** The name in managedFields. Default: the client's own. */
  readonly fieldManager?: string
  readonly dryRun?: boolean
  /** The caller reads the metadata of the stored object alone: the client may leave the rest out. */
  readonly answer?: 'metadata'
}

export interface DeleteOptions extends Omit<WriteOptions, 'fieldManager' | 'answer'> {
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply'

export interface PatchOptions extends WriteOptions {
  readonly subresource?: string
  /** For `apply` only. */
  readonly force?: boolean
}

/** A request that the server rejected throws a StatusError; one that did not reach the server, any other error. */
export interface Client {
  get<T extends KubernetesObject>(resource: Resource<T>, ref: ObjectRef): Promise<Stored<T>>
  list<T extends KubernetesObject>(resource: Resource<T>, request?: ListRequest): Promise<ListAnswer<Stored<T>>>
  /** Returns a function that ends the watch. */
  watch<T extends KubernetesObject>(resource: Resource<T>, request: WatchRequest, handlers: WatchHandlers<Stored<T>>): () => void
  create<T extends KubernetesObject>(
    resource: Resource<T>,
    namespace: string | undefined,
    object: T,
    options?: WriteOptions,
  ): Promise<Stored<T>>
  /** Replaces the object; its resourceVersion, if any, is the precondition. */
  update<T extends KubernetesObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<Stored<T>>
  updateStatus<T extends KubernetesObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<Stored<T>>
  /** PUT to a subresource other than status, such as `finalize`. */
  updateSubresource<T extends KubernetesObject>(
    resource: Resource<T>,
    subresource: string,
    object: T,
    options?: WriteOptions,
  ): Promise<void>
  patch<T extends KubernetesObject>(
    resource: Resource<T>,
    ref: ObjectRef,
    type: PatchType,
    patch: unknown,
    options?: PatchOptions,
  ): Promise<Stored<T>>
  delete(resource: Resource, ref: ObjectRef, options?: DeleteOptions): Promise<void>
  deleteCollection(resource: Resource, request: ListRequest, options?: DeleteOptions): Promise<void>
  /** POST to a subresource: `binding`, `eviction`. */
  createSubresource(resource: Resource, ref: ObjectRef, subresource: string, body: unknown): Promise<unknown>
}

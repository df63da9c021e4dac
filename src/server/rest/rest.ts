// The verbs of the API without HTTP: what the HTTP side and the in-process client both call. Every refusal is a
// StatusError. Objects that go in are not kept; objects that come out are shared and must not be changed.
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Status } from '../../api/types.ts'

export interface Caller {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
}

/** An object on its way in: the body of a request, or an object of a caller in this process. */
export type Input = PatchInput | { readonly protobuf: Uint8Array }

/** A patch, which is never protobuf. */
export type PatchInput = { readonly text: string; readonly format: 'json' | 'yaml' } | { readonly object: unknown }

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

/** What a request says besides its object. */
export interface WriteOptions {
  readonly caller: Caller
  /** The name in managedFields: the request's fieldManager, or what the User-Agent says. */
  readonly manager: string
  readonly dryRun?: boolean
  readonly fieldValidation?: FieldValidation
  /** Sentences for the caller go here. */
  readonly warn?: (sentence: string) => void
}

/**
 * A stored object as an answer. The text is the stored JSON without `kind` and `apiVersion`, beginning with
 * `{"metadata":`: lists join these texts, and a single answer gets its kind spliced in. `object` is parsed on demand
 * and kept; it has `kind` and `apiVersion`.
 */
export interface ObjectResponse {
  readonly kind: Kind
  readonly json: string
  readonly object: KubernetesObject
}

export interface ListQuery {
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: string
  /** Of watches: refused. */
  readonly sendInitialEvents?: boolean
}

export interface ListResponse {
  readonly kind: Kind
  readonly items: readonly ObjectResponse[]
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

export interface WatchQuery {
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: string
  /** Of lists: refused together with a match. */
  readonly continue?: string
  readonly sendInitialEvents?: boolean
  readonly allowWatchBookmarks?: boolean
  /** When the caller will end it: a last bookmark comes shortly before. */
  readonly timeoutSeconds?: number
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  /** For BOOKMARK an object with metadata only; for ERROR a Status. */
  readonly object: ObjectResponse | Status
}

export interface WatchListener {
  /** Events in order. The array is shared between listeners with the same selection: the HTTP side encodes it once. */
  onEvents(events: readonly WatchEvent[]): void
}

export interface DeleteQuery extends WriteOptions {
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: string
  readonly orphanDependents?: boolean
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

export type PatchFormat = 'json' | 'merge' | 'strategic' | 'apply'

export interface PatchQuery extends WriteOptions {
  readonly force?: boolean
}

/** `status`, `scale`, …; absent for the object itself. */
export type SubresourceName = string | undefined

/** `created` says whether the answer is 201. */
export interface WriteResult {
  readonly response: ObjectResponse
  readonly created: boolean
}

/** What a DELETE answers: the object while it is still there or as it last was, or a Status of success. */
export type DeleteResult = ObjectResponse | Status

export interface Rest {
  get(
    kind: Kind,
    namespace: string,
    name: string,
    subresource?: SubresourceName,
    query?: { readonly resourceVersion?: string },
  ): ObjectResponse
  /** Namespace '' is all namespaces (or a kind without them). */
  list(kind: Kind, namespace: string, query: ListQuery): ListResponse
  /** Calls the listener first with what is already there, then as it happens. Returns the function that ends it. */
  watch(kind: Kind, namespace: string, query: WatchQuery, listener: WatchListener): () => void
  create(kind: Kind, namespace: string, input: Input, options: WriteOptions): Promise<WriteResult>
  update(
    kind: Kind,
    namespace: string,
    name: string,
    subresource: SubresourceName,
    input: Input,
    options: WriteOptions,
  ): Promise<WriteResult>
  patch(
    kind: Kind,
    namespace: string,
    name: string,
    subresource: SubresourceName,
    format: PatchFormat,
    input: PatchInput,
    options: PatchQuery,
  ): Promise<WriteResult>
  delete(kind: Kind, namespace: string, name: string, query: DeleteQuery): Promise<DeleteResult>
  deleteCollection(kind: Kind, namespace: string, list: ListQuery, query: DeleteQuery): Promise<ListResponse>
  /** POST to a subresource: binding, eviction, token. */
  createSubresource(
    kind: Kind,
    namespace: string,
    name: string,
    subresource: string,
    input: Input,
    options: WriteOptions,
  ): Promise<Status | KubernetesObject>
  /** Lets go of what it can make again: objects that are kept parsed. */
  clearCaches(): void
}

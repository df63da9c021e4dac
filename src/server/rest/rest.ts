// The verbs of the API without HTTP, called by the HTTP server and by the in-process client. Every refusal is a StatusError.
// Objects that are passed in are not retained; returned objects are shared and must not be changed.
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.StandardStorage
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Status } from '../../api/types.ts'

export interface Caller {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  /** Further attributes, such as the pod that a service account token is bound to. */
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** The body of a request, or an object of a caller in this process. */
export type Input = PatchInput | { readonly protobuf: Uint8Array }

/** A patch, which is never protobuf. */
export type PatchInput =
  | { readonly text: string; readonly format: 'json' | 'yaml' }
  | { readonly object: unknown; readonly duplicates?: readonly string[] }

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

/** The options of a request besides its object. */
export interface WriteOptions {
  readonly caller: Caller
  /** The name in managedFields: the request's fieldManager, or the one derived from its User-Agent. */
  readonly manager: string
  readonly dryRun?: boolean
  readonly fieldValidation?: FieldValidation
  /** Receives the warnings for the caller. */
  readonly warn?: (sentence: string) => void
}

/**
 * One object in a response. `json` has neither `kind` nor `apiVersion` and starts with `{"metadata":`: lists concatenate it, and a
 * response with one object gets its kind spliced in. `object` has both, and is parsed on demand and cached.
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
  /** An option of watches, which lists refuse. */
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
  /** An option of lists, which watches refuse together with resourceVersionMatch. */
  readonly continue?: string
  readonly sendInitialEvents?: boolean
  readonly allowWatchBookmarks?: boolean
  /** When the caller will end the watch: the last bookmark is sent shortly before. */
  readonly timeoutSeconds?: number
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  /** For BOOKMARK an object with metadata only; for ERROR a Status. */
  readonly object: ObjectResponse | Status
}

export interface WatchListener {
  /** Events in order. Listeners with the same selection receive the same array, so that the HTTP server encodes it once. */
  onEvents(events: readonly WatchEvent[]): void
  /** The kind is no longer served, or its definition has changed: there are no further events. */
  onEnd?(): void
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
type SubresourceName = string | undefined

/** `created`: the response code is 201. */
export interface WriteResult {
  readonly response: ObjectResponse
  readonly created: boolean
}

/** The response to a DELETE: the object (terminating, or its last state), or a Status of success. */
export type DeleteResult = ObjectResponse | Status

export interface Rest {
  get(
    kind: Kind,
    namespace: string,
    name: string,
    subresource?: SubresourceName,
    query?: { readonly resourceVersion?: string },
  ): ObjectResponse
  /** Namespace '' means all namespaces, or that of cluster-scoped kinds. */
  list(kind: Kind, namespace: string, query: ListQuery): ListResponse
  /** Delivers the initial events before it returns, then changes as they happen. Returns the function that ends the watch. */
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
  /** Lets webhooks and policies review a connection to a pod; `object` has its options. Undefined: none is configured. */
  admitConnect(
    kind: Kind,
    namespace: string,
    name: string,
    subresource: string,
    object: KubernetesObject,
    options: WriteOptions,
  ): Promise<void> | undefined
  /** Releases the memory of parsed objects and shared specs, which are rebuilt on demand. */
  clearCaches(): void
}

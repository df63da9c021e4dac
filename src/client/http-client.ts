// The client over HTTP, for any Kubernetes API server. A watch that ends is not opened again: the informer does that, because
// it knows the version to resume from.
import { apiVersionOf, type Resource } from '../api/machinery/kind.ts'
import type { KubernetesObject, Stored } from '../api/types.ts'
import { type Clock, realClock } from '../base/clock.ts'
import { machineRandom, type Random } from '../base/random.ts'
import type { Client, DeleteOptions, ListAnswer, ListRequest, ObjectRef, PatchOptions, PatchType, WriteOptions } from './client.ts'
import type { Connection } from './connection.ts'
import type { HttpRequest } from './exchange.ts'
import { HttpTransport, type HttpTransportOptions } from './http-transport.ts'
import { WatchLines } from './http-watch.ts'

export interface HttpClientOptions {
  readonly connection: Connection
  /** The name in managedFields and in the User-Agent header. */
  readonly name: string
  readonly clock?: Clock
  readonly random?: Random
  /** Timeout of requests other than watches. Default: a minute. */
  readonly requestMs?: number
  /** Passed to the transport. */
  readonly hooks?: Pick<HttpTransportOptions, 'limiter' | 'beforeSend' | 'onResponse' | 'connections'>
}

export interface HttpClient extends Client {
  /** Closes all connections. Requests in progress fail. */
  close(): void
}

const contentTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  // JSON is YAML too.
  apply: 'application/apply-patch+yaml',
}

/** The server leaves out the fields that the client does not read, if it can. A Status stays as it is. */
const metadataAnswer = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'

/** A watch lasts between this and twice this, at random, so that not all watches end together. */
const minWatchSeconds = 300
const watchSlackSeconds = 30

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { connection, name, clock = realClock, random = machineRandom, requestMs, hooks } = options
  const transport = new HttpTransport({ connection, clock, name, ...(requestMs !== undefined && { requestMs }), ...hooks })

  const sendObject = async <T extends KubernetesObject>(
    resource: Resource<T>,
    method: 'POST' | 'PUT',
    path: string,
    object: T,
    write: WriteOptions = {},
  ): Promise<Stored<T>> => {
    const named = { kind: resource.kind, apiVersion: apiVersionOf(resource) }
    const request: HttpRequest = {
      method,
      path: path + queryOf(writeQuery(write, name)),
      body: () => JSON.stringify({ ...named, ...object }),
      ...(write.answer && { accept: metadataAnswer }),
    }
    const stored = await transport.sendForJson<Stored<T>>(request)
    return write.answer === undefined ? stored : { ...stored, ...named }
  }

  const put = async <T extends KubernetesObject>(
    resource: Resource<T>,
    object: T,
    subresource: string | undefined,
    write?: WriteOptions,
  ) => {
    const { namespace, name: own = '' } = object.metadata ?? {}
    return sendObject(resource, 'PUT', pathOf(resource, { namespace, name: own }, subresource), object, write)
  }

  return {
    async get<T extends KubernetesObject>(resource: Resource<T>, ref: ObjectRef) {
      return transport.sendForJson<Stored<T>>({ method: 'GET', path: pathOf(resource, ref) })
    },

    async list<T extends KubernetesObject>(resource: Resource<T>, request: ListRequest = {}): Promise<ListAnswer<Stored<T>>> {
      const { namespace, ...query } = request
      const path = collectionOf(resource, namespace) + queryOf({ ...query })
      const { metadata = {}, items } = await transport.sendForJson<ObjectList<Stored<T>>>({ method: 'GET', path })
      const named = { kind: resource.kind, apiVersion: apiVersionOf(resource) }
      return {
        // Servers leave the kind out of the items of a list.
        items: (items ?? []).map((item) => ({ ...named, ...item })),
        resourceVersion: metadata.resourceVersion ?? '',
        ...(metadata.continue && { continue: metadata.continue }),
      }
    },

    watch<T extends KubernetesObject>(
      resource: Resource<T>,
      { namespace, omitsManagedFields = false, ...query }: Parameters<Client['watch']>[1],
      handlers: Parameters<Client['watch']>[2],
    ) {
      const lines = new WatchLines<T>({ omitsManagedFields })
      const timeoutSeconds = minWatchSeconds + Math.floor(random.next() * minWatchSeconds)
      const path = collectionOf(resource, namespace) + queryOf({ ...query, watch: true, allowWatchBookmarks: true, timeoutSeconds })
      let isClosed = false
      const finish = () => {
        isClosed = true
        cancelTimer()
      }
      const stop = transport.stream(
        path,
        (bytes) => {
          const { events, error } = lines.read(bytes)
          if (events.length > 0) handlers.onEvents(events as never)
          if (error !== undefined) throw error
        },
        (error) => {
          if (isClosed) return
          finish()
          handlers.onEnd(error)
        },
      )
      // A server that does not end the watch in time is unreachable.
      const cancelTimer = clock.after((timeoutSeconds + watchSlackSeconds) * 1000, () => {
        finish()
        stop()
        handlers.onEnd()
      })
      return () => {
        finish()
        stop()
      }
    },

    create: (resource, namespace, object, write) => sendObject(resource, 'POST', collectionOf(resource, namespace), object, write),
    update: (resource, object, write) => put(resource, object, undefined, write),
    updateStatus: (resource, object, write) => put(resource, object, 'status', write),
    async updateSubresource(resource, subresource, object, write) {
      await put(resource, object, subresource, write)
    },

    async patch<T extends KubernetesObject>(
      resource: Resource<T>,
      ref: ObjectRef,
      type: PatchType,
      patch: unknown,
      { subresource, force, ...write }: PatchOptions = {},
    ) {
      const query = { ...writeQuery(write, name), ...(force !== undefined && { force }) }
      const path = pathOf(resource, ref, subresource) + queryOf(query)
      const body = () => JSON.stringify(patch)
      return transport.sendForJson<Stored<T>>({ method: 'PATCH', path, body, contentType: contentTypes[type] })
    },

    async delete(resource, ref, deletion) {
      const body = () => deletionBody(deletion)
      await transport.sendOnly({ method: 'DELETE', path: pathOf(resource, ref), body, accept: metadataAnswer })
    },

    async deleteCollection(resource, { namespace, ...query }, deletion) {
      const path = collectionOf(resource, namespace) + queryOf({ ...query })
      await transport.sendOnly({ method: 'DELETE', path, body: () => deletionBody(deletion) })
    },

    async createSubresource(resource, ref, subresource, body) {
      const path = pathOf(resource, ref, subresource) + queryOf(writeQuery({}, name))
      return transport.sendForJson<unknown>({ method: 'POST', path, body: () => JSON.stringify(body) })
    },

    close: () => transport.close(),
  }
}

interface ObjectList<T> {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string }
  readonly items?: readonly T[]
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

function queryOf(query: Query): string {
  const parts = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [`${key}=${encodeURIComponent(value)}`],
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

const writeQuery = ({ fieldManager, dryRun }: WriteOptions, name: string): Query => ({
  fieldManager: fieldManager ?? name,
  fieldValidation: 'Ignore',
  ...(dryRun && { dryRun: 'All' }),
})

function collectionOf({ group, version, plural, namespaced }: Resource, namespace: string | undefined): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return namespaced && namespace ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}` : `${root}/${plural}`
}

function pathOf(resource: Resource, { namespace, name }: ObjectRef, subresource?: string): string {
  // Without a name the path would be that of the collection.
  if (name === '') throw new Error(`Cannot address a ${resource.kind} without a name`)
  const path = `${collectionOf(resource, namespace)}/${encodeURIComponent(name)}`
  return subresource === undefined ? path : `${path}/${subresource}`
}

function deletionBody({ dryRun, ...deletion }: DeleteOptions = {}): string {
  return JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', ...deletion, ...(dryRun && { dryRun: ['All'] }) })
}

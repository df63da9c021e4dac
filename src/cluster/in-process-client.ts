// The client contract on top of the server's verbs, without a connection in between. Objects are passed by reference.
import type { Kind, Resource } from '../api/machinery/kind.ts'
import { type KindSet, kindSetOf } from '../api/machinery/kind-set.ts'
import { StatusError } from '../api/machinery/status-error.ts'
import type { KubernetesObject, Status, Stored } from '../api/types.ts'
import type { Client, ListAnswer, ListRequest, WatchEvent, WriteOptions } from '../client/client.ts'
import type { Caller, ObjectResponse, Rest, WatchEvent as ServerEvent } from '../server/rest/rest.ts'

interface InProcessClientOptions {
  readonly rest: Rest
  readonly kinds: readonly Kind[] | KindSet
  /** The name in managedFields. */
  readonly name: string
  readonly caller?: Caller
}

const systemCaller: Caller = { name: 'system:rollcall', groups: ['system:masters', 'system:authenticated'] }

export function createInProcessClient(clientOptions: InProcessClientOptions): Client {
  const { rest, kinds, name, caller = systemCaller } = clientOptions
  const kindSet = kindSetOf(kinds)
  const kindOf = (resource: Resource) => lookUpOf(kindSet.all)(resource)
  const asObject = <T extends KubernetesObject>(answer: ObjectResponse) => answer.object as Stored<T>
  const usual = { caller, manager: name, dryRun: false, fieldValidation: 'Ignore' as const }
  const options = (write: { readonly fieldManager?: string; readonly dryRun?: boolean } | undefined) =>
    write === undefined ? usual : { ...usual, manager: write.fieldManager ?? name, dryRun: write.dryRun ?? false }
  const place = (object: KubernetesObject) => [object.metadata?.namespace ?? '', object.metadata?.name ?? ''] as const

  return {
    async get<T extends KubernetesObject>(resource: Resource<T>, ref: { namespace?: string; name: string }) {
      return asObject<T>(rest.get(kindOf(resource), ref.namespace ?? '', ref.name))
    },

    async list<T extends KubernetesObject>(resource: Resource<T>, request: ListRequest = {}): Promise<ListAnswer<Stored<T>>> {
      const { namespace = '', ...query } = request
      const answer = rest.list(kindOf(resource), namespace, query)
      return {
        items: answer.items.map((item) => asObject<T>(item)),
        resourceVersion: answer.resourceVersion,
        ...(answer.continue !== undefined && { continue: answer.continue }),
      }
    },

    watch(resource, { namespace = '', ...query }, handlers) {
      let closed = false
      let closeServerSide: (() => void) | undefined
      const close = () => {
        closed = true
        closeServerSide?.()
      }
      const end = (error: Error) => {
        if (closed) return
        close()
        handlers.onEnd(error)
      }
      const onEvents = (events: readonly ServerEvent[]) => {
        if (closed) return
        const failure = events.find(({ type }) => type === 'ERROR')
        const changes = failure === undefined ? events : events.slice(0, events.indexOf(failure))
        if (changes.length > 0) handlers.onEvents(lazyEvents(changes) as never)
        if (failure !== undefined) end(new StatusError(failure.object as Status))
      }
      try {
        closeServerSide = rest.watch(kindOf(resource), namespace, { ...query, allowWatchBookmarks: false }, { onEvents })
        // The watch may have ended while it was opened.
        if (closed) closeServerSide()
      } catch (error) {
        queueMicrotask(() => end(error as Error))
      }
      return close
    },

    async create<T extends KubernetesObject>(resource: Resource<T>, namespace: string | undefined, object: T, write?: WriteOptions) {
      const { response: answer } = await rest.create(kindOf(resource), namespace ?? '', { object }, options(write))
      return asObject<T>(answer)
    },

    async update<T extends KubernetesObject>(resource: Resource<T>, object: T, write?: WriteOptions) {
      const { response: answer } = await rest.update(kindOf(resource), ...place(object), undefined, { object }, options(write))
      return asObject<T>(answer)
    },

    async updateStatus<T extends KubernetesObject>(resource: Resource<T>, object: T, write?: WriteOptions) {
      const { response: answer } = await rest.update(kindOf(resource), ...place(object), 'status', { object }, options(write))
      return asObject<T>(answer)
    },

    async updateSubresource(resource, subresource, object, write) {
      await rest.update(kindOf(resource), ...place(object), subresource, { object }, options(write))
    },

    async patch<T extends KubernetesObject>(
      resource: Resource<T>,
      ref: { namespace?: string; name: string },
      type: 'json' | 'merge' | 'strategic' | 'apply',
      patch: unknown,
      write: { subresource?: string; force?: boolean; fieldManager?: string; dryRun?: boolean } = {},
    ) {
      const query = { ...options(write), ...(write.force !== undefined && { force: write.force }) }
      const { response: answer } = await rest.patch(
        kindOf(resource),
        ref.namespace ?? '',
        ref.name,
        write.subresource,
        type,
        { object: patch },
        query,
      )
      return asObject<T>(answer)
    },

    async delete(resource, ref, query) {
      await rest.delete(kindOf(resource), ref.namespace ?? '', ref.name, query === undefined ? usual : { ...usual, ...query })
    },

    async deleteCollection(resource, { namespace = '', ...list }, query) {
      await rest.deleteCollection(kindOf(resource), namespace, list, { ...usual, ...query })
    },

    async createSubresource(resource, ref, subresource, body) {
      return rest.createSubresource(kindOf(resource), ref.namespace ?? '', ref.name, subresource, { object: body }, usual)
    },
  }
}

type LookUp = (resource: Resource) => Kind

const lookUps = new WeakMap<readonly Kind[], LookUp>()

/** One table for all clients of the same kinds: a cluster has a few dozen clients. */
function lookUpOf(kinds: readonly Kind[]): LookUp {
  const known = lookUps.get(kinds)
  if (known !== undefined) return known
  const byResource = new Map(kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.plural}`, kind]))
  const asked = new WeakMap<Resource, Kind>()
  const lookUp = (resource: Resource): Kind => {
    const found = asked.get(resource)
    if (found !== undefined) return found
    const { group, version, plural } = resource
    const kind = byResource.get(`${group}/${version}/${plural}`)
    if (kind === undefined) throw new Error(`Cannot address "${plural}" of "${group}/${version}": the server has no such kind`)
    asked.set(resource, kind)
    return kind
  }
  lookUps.set(kinds, lookUp)
  return lookUp
}

const lazy = new WeakMap<readonly ServerEvent[], readonly LazyEvent[]>()

/** The server tells all who asked the same question with the same array. */
function lazyEvents(told: readonly ServerEvent[]): readonly LazyEvent[] {
  const known = lazy.get(told)
  if (known !== undefined) return known
  const events = told.map((event) => new LazyEvent(event))
  lazy.set(told, events)
  return events
}

/** Parses its object on first use: many listeners read only some events. */
class LazyEvent implements WatchEvent<KubernetesObject> {
  readonly type: WatchEvent<KubernetesObject>['type']
  readonly #answer: ObjectResponse

  constructor(event: ServerEvent) {
    this.type = event.type as WatchEvent<KubernetesObject>['type']
    this.#answer = event.object as ObjectResponse
  }

  get object(): KubernetesObject {
    return this.#answer.object
  }
}

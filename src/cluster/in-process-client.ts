// The client contract on top of the server's verbs, without a connection in between. Objects are passed by reference.
import type { Kind, Resource } from '../api/machinery/kind.ts'
import { type KindSet, kindSetOf } from '../api/machinery/kind-set.ts'
import { StatusError } from '../api/machinery/status-error.ts'
import type { KubernetesObject, Status, Stored } from '../api/types.ts'
import type { Client, ListAnswer, ListRequest, WatchEvent, WriteOptions } from '../client/client.ts'
import { UnconvertedError, whenConverted } from '../server/rest/conversion.ts'
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
  const kindOf = lookUpOf(kindSetOf(kinds))
  const asObject = <T extends KubernetesObject>(answer: ObjectResponse) => answer.object as Stored<T>
  const defaults = { caller, manager: name, dryRun: false, fieldValidation: 'Ignore' as const }
  const options = (write: { readonly fieldManager?: string; readonly dryRun?: boolean } | undefined) =>
    write === undefined ? defaults : { ...defaults, manager: write.fieldManager ?? name, dryRun: write.dryRun ?? false }
  const place = (object: KubernetesObject) => [object.metadata?.namespace ?? '', object.metadata?.name ?? ''] as const

  return {
    async get<T extends KubernetesObject>(resource: Resource<T>, ref: { namespace?: string; name: string }) {
      const kind = kindOf(resource)
      return asObject<T>(await whenConverted(kind, () => rest.get(kind, ref.namespace ?? '', ref.name)))
    },

    async list<T extends KubernetesObject>(resource: Resource<T>, request: ListRequest = {}): Promise<ListAnswer<Stored<T>>> {
      const { namespace = '', ...query } = request
      const kind = kindOf(resource)
      const answer = await whenConverted(kind, () => rest.list(kind, namespace, query))
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
        if (changes.length > 0) handlers.onEvents(clientEvents(changes) as never)
        if (failure !== undefined) end(new StatusError(failure.object as Status))
      }
      const onEnd = () => end(new Error('the definition of the kind has changed'))
      const open = () => {
        if (closed) return
        try {
          closeServerSide = rest.watch(kindOf(resource), namespace, { ...query, allowWatchBookmarks: false }, { onEvents, onEnd })
          // The watch may have ended while it was opened.
          if (closed) closeServerSide()
        } catch (error) {
          if (error instanceof UnconvertedError) error.convert().then(open, end)
          else queueMicrotask(() => end(error as Error))
        }
      }
      open()
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
      await rest.delete(kindOf(resource), ref.namespace ?? '', ref.name, query === undefined ? defaults : { ...defaults, ...query })
    },

    async deleteCollection(resource, { namespace = '', ...list }, query) {
      await rest.deleteCollection(kindOf(resource), namespace, list, { ...defaults, ...query })
    },

    async createSubresource(resource, ref, subresource, body) {
      return rest.createSubresource(kindOf(resource), ref.namespace ?? '', ref.name, subresource, { object: body }, defaults)
    },
  }
}

type LookUp = (resource: Resource) => Kind

const lookUps = new WeakMap<KindSet, LookUp>()

/** One table for all clients of the same kinds: a cluster has a few dozen clients. */
function lookUpOf(kindSet: KindSet): LookUp {
  const known = lookUps.get(kindSet)
  if (known !== undefined) return known
  let asked = new WeakMap<Resource, Kind>()
  let byResource: Map<string, Kind> | undefined
  kindSet.onChange(() => {
    asked = new WeakMap()
    byResource = undefined
  })
  const lookUp = (resource: Resource): Kind => {
    const found = asked.get(resource)
    if (found !== undefined) return found
    const { group, version, plural } = resource
    byResource ??= new Map(kindSet.all.map((kind) => [`${kind.group}/${kind.version}/${kind.plural}`, kind]))
    const kind = byResource.get(`${group}/${version}/${plural}`)
    if (kind === undefined) throw new Error(`Cannot address "${plural}" of "${group}/${version}": the server has no such kind`)
    asked.set(resource, kind)
    return kind
  }
  lookUps.set(kindSet, lookUp)
  return lookUp
}

const converted = new WeakMap<readonly ServerEvent[], readonly WatchEvent<KubernetesObject>[]>()

/** Watchers of the same objects receive the same array from the server, and so from the client. */
function clientEvents(events: readonly ServerEvent[]): readonly WatchEvent<KubernetesObject>[] {
  const known = converted.get(events)
  if (known !== undefined) return known
  const shown = events.map(({ type, object }) => ({ type, object: (object as ObjectResponse).object }) as WatchEvent<KubernetesObject>)
  converted.set(events, shown)
  return shown
}

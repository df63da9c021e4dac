// Clients whose calls pass through a function: to guard, delay, count or refuse them.
import type { Resource } from '../api/machinery/kind.ts'
import type { Client } from '../client/client.ts'

/** Runs a call, or refuses it. `verb` is that of the request. */
type RunCall = <T>(call: () => Promise<T>, verb: string, resource: Resource) => Promise<T>

/** The client with every call but `watch` passed to `run`. */
export function wrapCalls(client: Client, run: RunCall): Client {
  return {
    ...wrapWrites(client, run),
    get: (resource, ...rest) => run(() => client.get(resource, ...rest), 'get', resource),
    list: (resource, ...rest) => run(() => client.list(resource, ...rest), 'list', resource),
  }
}

/** The client with every write passed to `run`. */
export function wrapWrites(client: Client, run: RunCall): Client {
  return {
    ...client,
    create: (resource, ...rest) => run(() => client.create(resource, ...rest), 'create', resource),
    update: (resource, ...rest) => run(() => client.update(resource, ...rest), 'update', resource),
    updateStatus: (resource, ...rest) => run(() => client.updateStatus(resource, ...rest), 'update', resource),
    updateSubresource: (resource, ...rest) => run(() => client.updateSubresource(resource, ...rest), 'update', resource),
    patch: (resource, ...rest) => run(() => client.patch(resource, ...rest), 'patch', resource),
    delete: (resource, ...rest) => run(() => client.delete(resource, ...rest), 'delete', resource),
    deleteCollection: (resource, ...rest) => run(() => client.deleteCollection(resource, ...rest), 'deletecollection', resource),
    createSubresource: (resource, ...rest) => run(() => client.createSubresource(resource, ...rest), 'create', resource),
  }
}

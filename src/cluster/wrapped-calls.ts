// Clients whose calls pass through a function: to guard, delay, count or refuse them.
import type { Client } from '../client/client.ts'

/** Runs a call, or refuses it. */
type RunCall = <T>(call: () => Promise<T>) => Promise<T>

/** The client with every call but `watch` passed to `run`. */
export function wrapCalls(client: Client, run: RunCall): Client {
  return {
    ...wrapWrites(client, run),
    get: (...request) => run(() => client.get(...request)),
    list: (...request) => run(() => client.list(...request)),
  }
}

/** The client with every write passed to `run`. */
export function wrapWrites(client: Client, run: RunCall): Client {
  return {
    ...client,
    create: (...request) => run(() => client.create(...request)),
    update: (...request) => run(() => client.update(...request)),
    updateStatus: (...request) => run(() => client.updateStatus(...request)),
    updateSubresource: (...request) => run(() => client.updateSubresource(...request)),
    patch: (...request) => run(() => client.patch(...request)),
    delete: (...request) => run(() => client.delete(...request)),
    deleteCollection: (...request) => run(() => client.deleteCollection(...request)),
    createSubresource: (...request) => run(() => client.createSubresource(...request)),
  }
}

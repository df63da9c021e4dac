import type { Client } from './client.ts'

/** The client with every write passed to `write`, which runs it. */
export function wrapWrites(client: Client, write: <T>(run: () => Promise<T>) => Promise<T>): Client {
  return {
    ...client,
    create: (...request) => write(() => client.create(...request)),
    update: (...request) => write(() => client.update(...request)),
    updateStatus: (...request) => write(() => client.updateStatus(...request)),
    updateSubresource: (...request) => write(() => client.updateSubresource(...request)),
    patch: (...request) => write(() => client.patch(...request)),
    delete: (...request) => write(() => client.delete(...request)),
    deleteCollection: (...request) => write(() => client.deleteCollection(...request)),
    createSubresource: (...request) => write(() => client.createSubresource(...request)),
  }
}

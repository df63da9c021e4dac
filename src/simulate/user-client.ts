// A client that tells whether one of its writes is under way: who made a change can then be told from when it came.
import type { Client } from '../client/client.ts'

export interface UserClient {
  readonly client: Client
  isWriting(): boolean
}

export function followWrites(client: Client): UserClient {
  let underWay = 0
  const write = async <T>(run: () => Promise<T>): Promise<T> => {
    underWay++
    try {
      return await run()
    } finally {
      underWay--
    }
  }
  return {
    isWriting: () => underWay > 0,
    client: {
      ...client,
      create: (...request) => write(() => client.create(...request)),
      update: (...request) => write(() => client.update(...request)),
      updateStatus: (...request) => write(() => client.updateStatus(...request)),
      updateSubresource: (...request) => write(() => client.updateSubresource(...request)),
      patch: (...request) => write(() => client.patch(...request)),
      delete: (...request) => write(() => client.delete(...request)),
      deleteCollection: (...request) => write(() => client.deleteCollection(...request)),
      createSubresource: (...request) => write(() => client.createSubresource(...request)),
    },
  }
}

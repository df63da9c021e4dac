// A client that knows whether one of its writes is in progress. This identifies the changes that the user made.
import type { Client } from '../../client/client.ts'
import { wrapWrites } from '../../cluster/wrapped-calls.ts'

interface UserClient {
  readonly client: Client
  isWriting(): boolean
}

export function createUserClient(client: Client): UserClient {
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
    client: wrapWrites(client, write),
  }
}

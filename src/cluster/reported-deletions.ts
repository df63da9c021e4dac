import { pods } from '../api/kinds.ts'
import type { Client } from '../client/client.ts'

/** Calls `onDelete` with the uid of each pod whose deletion the client requests, before the request is sent. */
export function reportingDeletions(client: Client, onDelete: (uid: string) => void): Client {
  return {
    ...client,
    delete(resource, ref, deletion) {
      const uid = deletion?.preconditions?.uid
      if (resource.plural === pods.plural && uid !== undefined) onDelete(uid)
      return client.delete(resource, ref, deletion)
    },
  }
}

// Reads the services behind which webhooks and aggregated servers listen.
// Ours: what others read of services, as one interface.
import type { FindPodServer, ServiceReader } from '../webhooks/webhook-address.ts'
import { readObject } from './admission.ts'
import { entryOf, prefixOf, type Storage } from './scope.ts'

export const serviceReader = (storage: Storage, findPodServer: FindPodServer): ServiceReader => ({
  read: (kind, namespace, name) => readObject(storage, kind, namespace, name),
  list: (kind, namespace) => storage.store.list(prefixOf(kind, namespace)).records.map((record) => entryOf(storage, kind, record).object),
  findPodServer,
})

// Reads the services behind which webhooks and aggregated servers listen.
// Ours: what others read of services, as one interface.
import type { ServiceReader } from '../webhooks/webhook-address.ts'
import { entryOf, keyOf, prefixOf, type Scope } from './scope.ts'

export const serviceReader = (readScope: () => Scope): ServiceReader => ({
  read(kind, namespace, name) {
    const scope = readScope()
    const record = scope.store.get(keyOf(kind, namespace, name))
    return record && entryOf(scope, kind, record).object
  },
  list(kind, namespace) {
    const scope = readScope()
    return scope.store.list(prefixOf(kind, namespace)).records.map((record) => entryOf(scope, kind, record).object)
  },
  findPodServer: (pod, port) => readScope().findPodServer(pod, port),
})

import { kinds, namespaces } from '../api/kinds.ts'
import type { Namespace } from '../api/types.ts'
import { describeClient } from '../client/testing/client-contract.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { createInProcessClient } from './in-process-client.ts'

describeClient('in process', async () => {
  const store = openMemoryStore()
  const client = createInProcessClient({ rest: createRest({ store }), kinds, name: 'contract' })
  await client.create(namespaces, undefined, { metadata: { name: 'default' } } as Namespace)
  return { client, compact: () => store.compact(store.revision), close: () => store.close() }
})

// The API server's verbs and all controllers in this process, without nodes.
import { kinds, namespaces } from '../src/api/kinds.ts'
import { defaultFeatureGates } from '../src/api/machinery/feature-gates.ts'
import { realClock } from '../src/base/clock.ts'
import { seededRandom } from '../src/base/random.ts'
import { startControllers } from '../src/cluster/controllers.ts'
import { createInProcessClient } from '../src/cluster/in-process-client.ts'
import { createRest } from '../src/server/rest/create-rest.ts'
import type { Store } from '../src/store/store.ts'

export const namespace = 'bench'

/** With the namespace `bench`. */
export async function startInProcessCluster(store: Store) {
  const rest = createRest({ store })
  const clientFor = (name: string) => createInProcessClient({ rest, kinds, name })
  const client = clientFor('bench')
  await client.create(namespaces, undefined, { metadata: { name: namespace } })
  const controllers = startControllers({
    clientFor,
    clock: realClock,
    random: seededRandom(1),
    gates: defaultFeatureGates,
    kinds,
    rootCertificate: '',
    onFailure: (what, error) => console.error(`${what}: ${(error as Error).message}`),
  })
  await controllers.synced
  return {
    client,
    async stop() {
      await controllers.stop()
      await store.close()
    },
  }
}

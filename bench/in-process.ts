// Creates pods through the in-process client, as the controllers do, in a process of its own that prints its results as
// JSON: { memory: { 1: creates a second, 32: … }, durable: … }.
import { join } from 'node:path'
import { kinds, namespaces, pods } from '../src/api/kinds.ts'
import { createInProcessClient } from '../src/cluster/in-process-client.ts'
import { createRest } from '../src/server/rest/create-rest.ts'
import { openDurableStore } from '../src/store/durable-store.ts'
import { openMemoryStore } from '../src/store/memory-store.ts'
import type { Store } from '../src/store/store.ts'
import { inParallel, timed, withFolder } from './measuring.ts'
import { podName, podObject } from './pods.ts'

const count = Number(process.argv[2] ?? 10_000)

async function measure(store: Store, atATime: number): Promise<{ readonly perSecond: number; readonly cpuMicroseconds: number }> {
  const client = createInProcessClient({ rest: createRest({ store }), kinds, name: 'bench' })
  await client.create(namespaces, undefined, { metadata: { name: 'bench' } })
  const create = (prefix: string, total: number) =>
    inParallel(total, atATime, (index) => client.create(pods, 'bench', podObject(podName(prefix, index), index)))
  await create('warm', Math.min(1000, count))
  const { wallMs, cpuMs } = await timed(() => create('pod', count))
  await store.close()
  return { perSecond: (count * 1000) / wallMs, cpuMicroseconds: (cpuMs * 1000) / count }
}

await withFolder(async (root) => {
  const results = {
    memory: { 1: await measure(openMemoryStore(), 1), 32: await measure(openMemoryStore(), 32) },
    durable: {
      1: await measure(await openDurableStore({ path: join(root, 'one') }), 1),
      32: await measure(await openDurableStore({ path: join(root, 'many') }), 32),
    },
  }
  console.log(JSON.stringify(results))
})

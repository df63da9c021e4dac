// Creates, lists and watches of custom resources beside those of a built-in kind of the same size, and what many definitions cost.
// `npm run bench -- custom-resources [objects] [definitions]`
import { kinds as builtIn, configMaps, customResourceDefinitions, namespaces } from '../src/api/kinds.ts'
import type { Kind } from '../src/api/machinery/kind.ts'
import { KindSet } from '../src/api/machinery/kind-set.ts'
import { createInProcessClient } from '../src/cluster/in-process-client.ts'
import { createRest } from '../src/server/rest/create-rest.ts'
import { openMemoryStore } from '../src/store/memory-store.ts'

const objects = Number(process.argv[2] ?? 10_000)
const definitions = Number(process.argv[3] ?? 500)

const text = { type: 'string', maxLength: 200 }
const definition = (plural: string, more: object = {}) => ({
  metadata: { name: `${plural}.bench.example.com` },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural, singular: plural.slice(0, -1), kind: plural[0]!.toUpperCase() + plural.slice(1, -1) },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', additionalProperties: text }, ...more } } },
      },
    ],
  },
})
/** Some 50 kB, as large definitions are. */
const manyFields = Object.fromEntries(
  Array.from({ length: 400 }, (_none, at) => [`field${at}`, { type: 'string', description: 'x'.repeat(70), pattern: '^[a-z]*$' }]),
)
const data = Object.fromEntries(Array.from({ length: 12 }, (_none, at) => [`key${at}`, `value ${at}`]))
const seconds = (since: number) => (performance.now() - since) / 1000
const megabytes = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

const kinds = new KindSet(builtIn)
const rest = createRest({ store: openMemoryStore(), kinds })
const client = createInProcessClient({ rest, kinds, name: 'bench' })
await client.create(namespaces, undefined, { metadata: { name: 'bench' } })
await client.create(customResourceDefinitions, undefined, definition('widgets') as never)
const widgets = kinds.all.find(({ plural }) => plural === 'widgets')!

async function measure(name: string, kind: Kind, field: string): Promise<void> {
  for (let at = 0; at < 2000; at++) await client.create(kind, 'bench', { metadata: { name: `warm-${at}` }, [field]: data } as never)
  let events = 0
  const close = rest.watch(
    kind,
    'bench',
    {},
    {
      onEvents(more) {
        events += more.length
      },
    },
  )
  let start = performance.now()
  for (let at = 0; at < objects; at++)
    await client.create(kind, 'bench', { metadata: { name: `object-${at}` }, [field]: { ...data, at: String(at) } } as never)
  const creates = objects / seconds(start)
  close()
  start = performance.now()
  let characters = 0
  for (let round = 0; round < 5; round++) for (const { json } of rest.list(kind, 'bench', {}).items) characters += json.length
  const lists = (5 * (objects + 2000)) / seconds(start)
  console.log(
    `${name.padEnd(18)} ${Math.round(creates)} creates/s with ${events} events, ${Math.round(lists)} listed objects/s (${characters} characters)`,
  )
}

for (let round = 0; round < 2; round++) {
  await measure('ConfigMaps', configMaps as unknown as Kind, 'data')
  await measure('custom resources', widgets, 'spec')
  await rest.deleteCollection(configMaps as unknown as Kind, 'bench', {}, { caller: { name: 'bench', groups: [] }, manager: 'bench' })
  await rest.deleteCollection(widgets, 'bench', {}, { caller: { name: 'bench', groups: [] }, manager: 'bench' })
}
const before = megabytes()
const start = performance.now()
for (let at = 0; at < definitions; at++)
  await client.create(
    customResourceDefinitions,
    undefined,
    definition(`gadget${at}s`, { status: { type: 'object', properties: manyFields } }) as never,
  )
console.log(`${definitions} definitions of 50 kB in ${seconds(start).toFixed(1)} s, ${Math.round(megabytes() - before)} MB of heap`)
process.exit(0)

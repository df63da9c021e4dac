// Creates, lists and watches of custom resources beside those of a built-in kind of the same size, and what many definitions cost.
// `npm run bench -- custom-resources [objects] [definitions]`
import { kinds as builtIn, configMaps, customResourceDefinitions, deployments, namespaces } from '../src/api/kinds.ts'
import type { Kind } from '../src/api/machinery/kind.ts'
import { KindSet } from '../src/api/machinery/kind-set.ts'
import { type FieldType, structOf } from '../src/api/machinery/schema/schema.ts'
import { createInProcessClient } from '../src/cluster/in-process-client.ts'
import { createRest } from '../src/server/rest/create-rest.ts'
import { openMemoryStore } from '../src/store/memory-store.ts'
import { timed } from './measuring.ts'
import { median } from './table.ts'

const objects = Number(process.argv[2] ?? 10_000)
const definitions = Number(process.argv[3] ?? 500)
/** The kinds take turns, so that other load of the machine affects all of them. */
const rounds = 9

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
/** Some 50 kB, the size of a large definition. */
const manyFields = Object.fromEntries(
  Array.from({ length: 400 }, (_none, at) => [`field${at}`, { type: 'string', description: 'x'.repeat(70), pattern: '^[a-z]*$' }]),
)
const data = Object.fromEntries(Array.from({ length: 12 }, (_none, at) => [`key${at}`, `value ${at}`]))
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

/** The structural schema of a built-in type: a custom resource with it has the fields of the built-in kind, and the same objects. */
function schemaOf(type: FieldType): object {
  switch (type.kind) {
    case 'list':
      return { type: 'array', items: schemaOf(type.of) }
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(type.of) }
    case 'struct':
      return {
        type: 'object',
        properties: Object.fromEntries(structOf(type.name).fields.map((field) => [field.name, schemaOf(field.type)])),
      }
    case 'scalar':
      return scalarSchemas[type.scalar] ?? { type: 'string' }
  }
}
const scalarSchemas: Readonly<Record<string, object>> = {
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number' },
  Quantity: { 'x-kubernetes-int-or-string': true },
  IntOrString: { 'x-kubernetes-int-or-string': true },
  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
}
const structured = (plural: string, specType: string) => {
  const { spec, ...rest } = definition(plural)
  const openAPIV3Schema = { type: 'object', properties: { spec: schemaOf({ kind: 'struct', name: specType, pointer: false }) } }
  return { ...rest, spec: { ...spec, versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }] } }
}
await client.create(customResourceDefinitions, undefined, structured('apps', 'apps.DeploymentSpec') as never)
const apps = kinds.all.find(({ plural }) => plural === 'apps')!

/** No two have the same template. */
const deploymentSpec = (at: number) => ({
  replicas: at % 7,
  selector: { matchLabels: { app: `app-${at}` } },
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: at % 3 } },
  template: {
    metadata: { labels: { app: `app-${at}`, tier: `tier-${at % 5}` }, annotations: { build: String(at) } },
    spec: {
      containers: Array.from({ length: 1 + (at % 3) }, (_none, index) => ({
        name: `container-${index}`,
        image: `registry.example.com/team/app-${at}:${at % 100}`,
        ports: [{ name: 'http', containerPort: 8080 + index }],
        env: [{ name: 'NUMBER', value: String(at) }],
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
        readinessProbe: { httpGet: { path: '/ready', port: 8080 + index }, periodSeconds: 5 },
      })),
    },
  },
})
const flat = (field: string) => (at: number) => ({ [field]: { ...data, at: String(at) } })
const subjects: readonly (readonly [name: string, kind: Kind, content: (at: number) => object])[] = [
  ['ConfigMaps', configMaps, flat('data')],
  ['custom resources of that size', widgets, flat('spec')],
  ['Deployments', deployments, (at) => ({ spec: deploymentSpec(at) })],
  ["custom resources with a Deployment's spec", apps, (at) => ({ spec: deploymentSpec(at) })],
]

const perRound = Math.max(1, Math.floor(objects / rounds))
const times = new Map<string, { create: number[]; list: number[]; bytes: number }>()
const caller = { caller: { name: 'bench', groups: [] }, manager: 'bench' }

async function measure(name: string, kind: Kind, content: (at: number) => object, round: number): Promise<void> {
  let events = 0
  const count = (more: readonly unknown[]) => {
    events += more.length
  }
  const close = rest.watch(kind, 'bench', {}, { onEvents: count })
  // Processor time, because the machine may have other load.
  const { cpuMs: create } = await timed(async () => {
    for (let at = 0; at < perRound; at++)
      await client.create(kind, 'bench', { metadata: { name: `object-${at}` }, ...content(round * perRound + at) } as never)
  })
  close()
  if (events < perRound) throw new Error(`Only ${events} of ${perRound} events arrived`)
  let bytes = 0
  const { cpuMs: list } = await timed(() => {
    for (const { json } of rest.list(kind, 'bench', {}).items) bytes += json.length
  })
  await rest.deleteCollection(kind, 'bench', {}, caller)
  const known = times.get(name) ?? { create: [], list: [], bytes: 0 }
  known.create.push((create * 1000) / perRound)
  known.list.push((list * 1000) / perRound)
  known.bytes = bytes / perRound
  times.set(name, known)
}

for (let round = 0; round < rounds; round++) for (const [name, kind, content] of subjects) await measure(name, kind, content, round)
console.log('microseconds of processor time for each object, with a watch')
for (const [name, { create, list, bytes }] of times)
  console.log(`${name.padEnd(42)} create ${median(create).toFixed(1)}, list ${median(list).toFixed(2)} (${Math.round(bytes)} bytes)`)
const before = megabytes()
const gadget = (at: number) => definition(`gadget${at}s`, { status: { type: 'object', properties: manyFields } })
const { wallMs } = await timed(async () => {
  for (let at = 0; at < definitions; at++) await client.create(customResourceDefinitions, undefined, gadget(at) as never)
})
console.log(`${definitions} definitions of 50 kB in ${(wallMs / 1000).toFixed(1)} s, ${Math.round(megabytes() - before)} MB of heap`)
process.exit(0)

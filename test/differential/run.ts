// `npm run differential -- [--operations N] [--seed S] [--kinds a,b] [--life N] [--differences FILE]`: sends the same random operations to a real
// kube-apiserver and to Rollcall, and compares what they answer. Needs ROLLCALL_KUBERNETES and etcd.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { kubernetes } from '../../src/api/machinery/kubernetes-version.ts'
import { isEqualJson } from '../../src/base/json.ts'
import { seededPart } from '../../src/base/random.ts'
import type { ValidObject } from '../front-door/valid-objects.ts'
import { missing } from '../real-cluster/real-control-plane.ts'
import { Mutator, type Schema, type Schemas } from './mutations.ts'
import { definition, namespace, objects } from './objects.ts'
import { type Answer, type ApiServer, startReal, startRollcall } from './servers.ts'

type Fields = Record<string, unknown>
interface Operation {
  readonly method: string
  readonly path: string
  readonly contentType?: string
  /** The same for both, but for the resourceVersion of an update. */
  readonly body?: Fields
}
interface Difference {
  readonly what: 'acceptance' | 'code' | 'message' | 'warnings' | 'object'
  readonly life: number
  readonly operation: Operation
  readonly kubernetes: unknown
  readonly rollcall: unknown
}

const { values: flags } = parseArgs({
  options: {
    operations: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    kinds: { type: 'string' },
    /** One object alone, with every request and response. */
    life: { type: 'string' },
    differences: { type: 'string' },
  },
})
if (missing !== undefined) {
  console.error(`error: ${missing}`)
  process.exit(1)
}
const wanted = Number(flags.operations)
const seed = Number(flags.seed)
if (!(wanted > 0 && Number.isInteger(seed))) {
  console.error('error: --operations and --seed take whole numbers')
  process.exit(1)
}
/** Kinds whose status the real server writes by itself. */
const hasOwnController = new Set(['FlowSchema', 'PriorityLevelConfiguration', 'APIService', 'CustomResourceDefinition', 'ServiceCIDR'])
const chosen = objects.filter(({ kind }) => flags.kinds === undefined || flags.kinds.split(',').includes(kind))

let servers: readonly ApiServer[] = []
const differences: Difference[] = []
let operations = 0

async function main(): Promise<void> {
  const [real, rollcall] = await Promise.all([startReal(), startRollcall(kubernetes.version)])
  servers = [real, rollcall]
  try {
    for (const server of servers) await prepare(server)
    const schemas = await readSchemas(real)
    if (flags.life !== undefined) return await live(Number(flags.life), schemas)
    for (let life = 0; operations < wanted; life++) {
      await live(life, schemas)
      if (life % 200 === 0 && process.stderr.isTTY) process.stderr.write(`\r${operations} operations, ${differences.length} differences`)
    }
  } finally {
    await Promise.all(servers.map((one) => one.stop()))
  }
  report()
}

async function prepare(server: ApiServer): Promise<void> {
  await server.ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
  await server.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  const paths = [`/apis/differential.example.org/v1/namespaces/${namespace}/widgets`, '/openapi/v3/apis/differential.example.org/v1']
  const isServed = async () => (await Promise.all(paths.map((path) => server.ask('GET', path)))).every(({ code }) => code === 200)
  for (let tries = 0; !(await isServed()); tries++) {
    if (tries === 600) throw new Error('The custom resource is not served')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function readSchemas(server: ApiServer): Promise<Schemas> {
  const { body } = await server.ask('GET', '/openapi/v3')
  const versions = new Set(chosen.map(({ apiVersion }) => (apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`)))
  const all: Record<string, Schema> = {}
  for (const [name, { serverRelativeURL }] of Object.entries(body['paths'] as Record<string, { serverRelativeURL: string }>)) {
    if (!versions.has(name)) continue
    const document = (await server.ask('GET', serverRelativeURL)).body as { components?: { schemas?: Schemas } }
    Object.assign(all, document.components?.schemas)
  }
  return all
}

function schemaOf({ apiVersion, kind }: ValidObject, schemas: Schemas): Schema {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const found = Object.values(schemas).find((one) =>
    (one['x-kubernetes-group-version-kind'] as readonly { group: string; version: string; kind: string }[] | undefined)?.some(
      (gvk) => gvk.kind === kind && gvk.group === group && gvk.version === version,
    ),
  )
  if (found === undefined) throw new Error(`The OpenAPI document has no ${apiVersion} ${kind}`)
  return found
}

/** Without the status of kinds whose controllers run in the real server alone: what a patch of it means depends on what they wrote. */
function writtenFieldsOf({ kind }: ValidObject, schema: Schema): Schema {
  if (!hasOwnController.has(kind)) return schema
  const { status: _, ...properties } = schema.properties ?? {}
  return { ...schema, properties }
}

/** An object is created, changed a few times, and deleted. */
async function live(life: number, schemas: Schemas): Promise<void> {
  const mutator = new Mutator(seededPart(seed, life), schemas)
  const one = mutator.pick(chosen)
  const schema = writtenFieldsOf(one, schemaOf(one, schemas))
  const isRenamed = !['APIService', 'CustomResourceDefinition', 'IPAddress'].includes(one.kind)
  const name = isRenamed ? `${one.name}-${life}` : one.name
  const path = `${one.collection}/${name}`
  const fresh = { ...one.object, metadata: { ...one.object.metadata, name } }
  const created = mutator.mutate(fresh, schema, mutator.pick([0, 1, 1, 1, 2, 3])).object
  let stored = await compare(life, { method: 'POST', path: one.collection, body: created })
  if (one.kind.endsWith('Review')) return
  for (let left = mutator.pick([1, 2, 3, 4]); stored !== undefined && left > 0; left--) {
    const operation = change(mutator, one, schema, path, stored[0]!)
    const next = await compare(life, operation, stored)
    if (next === 'different') break
    if (next !== undefined && !operation.path.endsWith('/scale')) stored = next
  }
  await remove(path)
}

function change(mutator: Mutator, one: ValidObject, schema: Schema, path: string, current: Fields): Operation {
  const bare = structuredClone(current)
  const metadata = bare['metadata'] as Fields
  delete metadata['managedFields']
  const { object, fragment } = mutator.mutate(bare, schema, mutator.pick([1, 1, 2]))
  const target = `${path}${mutator.chance(0.35) ? subresourceOf(mutator, one) : ''}`
  const identity = { apiVersion: one.apiVersion, kind: one.kind }
  const isCustom = one.kind === 'Widget'
  switch (mutator.pick(['put', 'put', 'merge', 'strategic', 'apply', 'json'])) {
    case 'put':
      return { method: 'PUT', path: target, body: object }
    case 'merge':
      return { method: 'PATCH', path: target, contentType: 'application/merge-patch+json', body: fragment }
    case 'strategic':
      return isCustom
        ? { method: 'PATCH', path: target, contentType: 'application/merge-patch+json', body: fragment }
        : { method: 'PATCH', path: target, contentType: 'application/strategic-merge-patch+json', body: fragment }
    case 'apply': {
      const body = { ...identity, ...fragment, metadata: { ...((fragment['metadata'] as Fields | null) ?? {}), name: metadata['name'] } }
      return { method: 'PATCH', path: `${target}?fieldManager=differential&force=true`, contentType: 'application/apply-patch+yaml', body }
    }
    default: {
      const [[field, value] = ['metadata', {}]] = Object.entries(fragment)
      const body = [{ op: value === null ? 'remove' : 'add', path: `/${field}`, ...(value !== null && { value: object[field] }) }]
      return { method: 'PATCH', path: target, contentType: 'application/json-patch+json', body: body as unknown as Fields }
    }
  }
}

/** An endpoint that takes the object itself. */
function subresourceOf(mutator: Mutator, { kind, hasStatus }: ValidObject): string {
  if (kind === 'Pod') return mutator.pick(['/status', '/resize', '/ephemeralcontainers'])
  if (kind === 'CertificateSigningRequest') return mutator.pick(['/status', '/approval'])
  return hasStatus ? '/status' : ''
}

/** What both have stored; undefined where both refuse. */
function compare(life: number, operation: Operation): Promise<readonly Fields[] | undefined>
function compare(life: number, operation: Operation, stored: readonly Fields[]): Promise<readonly Fields[] | undefined | 'different'>
async function compare(
  life: number,
  operation: Operation,
  stored?: readonly Fields[],
): Promise<readonly Fields[] | undefined | 'different'> {
  operations++
  const { method, path, body, contentType } = operation
  const send = (server: ApiServer, at: number) => server.ask(method, path, withIdentityOf(body, stored?.[at], stored?.[0]), contentType)
  const [theirs, ours] = (await Promise.all(servers.map(send))) as [Answer, Answer]
  if (flags.life !== undefined)
    for (const [name, one] of Object.entries({ operation, theirs, ours })) console.log(name, JSON.stringify(one))
  const note = (what: Difference['what'], kubernetes: unknown, rollcallAnswer: unknown) =>
    differences.push({ what, life, operation, kubernetes, rollcall: rollcallAnswer })
  if (
    (isConflict(theirs) || isConflict(ours)) &&
    /(flowschemas|prioritylevelconfigurations|apiservices|customresourcedefinitions|servicecidrs)/.test(path)
  ) {
    operations--
    return stored === undefined ? undefined : 'different'
  }
  const isAccepted = [theirs, ours].map(({ code }) => code < 400)
  const brief = ({ code, body: answer }: Answer) => ({ code, message: answer['message'] })
  if (isAccepted[0] !== isAccepted[1]) {
    note('acceptance', brief(theirs), brief(ours))
    return stored === undefined ? undefined : 'different'
  }
  if (theirs.code !== ours.code) note('code', brief(theirs), brief(ours))
  else if (!isAccepted[0]) {
    if (normalText(theirs.body['message']) !== normalText(ours.body['message']))
      note('message', theirs.body['message'], ours.body['message'])
  } else if (!isEqualJson(theirs.warnings, ours.warnings)) note('warnings', theirs.warnings, ours.warnings)
  if (!isAccepted[0]) return undefined
  const objectsOf = [theirs, ours].map(({ body: answer }) => answer as Fields)
  const [left, right] = objectsOf.map(normalObject)
  if (!isEqualJson(left, right)) note('object', ...(differingParts(left, right) as [unknown, unknown]))
  return objectsOf
}

/** An update carries the identity, and the addresses, of the object that the server itself has stored. */
function withIdentityOf(body: Fields | undefined, own: Fields | undefined, first: Fields | undefined): Fields | undefined {
  if (body === undefined || own === undefined || first === undefined) return body
  let text = JSON.stringify(body)
  for (const read of [identityOf, addressesOf]) {
    const [from, to] = [read(first), read(own)]
    for (const [at, value] of from.entries()) if (value !== undefined) text = text.replaceAll(JSON.stringify(value), JSON.stringify(to[at]))
  }
  return JSON.parse(text)
}

function identityOf({ metadata }: Fields): readonly unknown[] {
  const { uid, resourceVersion, creationTimestamp } = metadata as Fields
  return [uid, resourceVersion, creationTimestamp]
}

const addressesOf = ({ kind, spec }: Fields): readonly unknown[] =>
  kind !== 'Service' || (spec as Fields)['clusterIP'] === 'None' ? [] : [(spec as Fields)['clusterIP']]

/** The real server's own controllers write these: a conflict says nothing. */
const isConflict = ({ code, body }: Answer) => code === 409 && body['reason'] === 'Conflict'

const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g
const uids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** In an object that a message quotes. */
const resourceVersions = /(resourceVersion\\*":\\*")\d+/g
const normalText = (text: unknown) =>
  String(text)
    .replaceAll(times, 'TIME')
    .replaceAll(uids, 'UID')
    .replaceAll(resourceVersions, '$1N')
    .replaceAll(/\b10\.0\.0\.\d+\b/g, 'IP')

function normalObject(given: Fields): unknown {
  const object = JSON.parse(normalText(JSON.stringify(given))) as Fields
  const kind = String(object['kind'])
  const metadata = object['metadata'] as Fields | undefined
  if (metadata !== undefined) {
    delete metadata['resourceVersion']
    delete metadata['managedFields']
  }
  if (hasOwnController.has(kind)) delete object['status']
  const spec = object['spec'] as Fields | undefined
  if (kind === 'Service' && spec !== undefined) {
    for (const port of (spec['ports'] as Fields[] | null | undefined) ?? []) delete port['nodePort']
    for (const address of ['clusterIP', 'clusterIPs', 'healthCheckNodePort']) delete spec[address]
  }
  // The user has a token on one server, and a certificate on the other.
  if (kind === 'CertificateSigningRequest' && spec !== undefined) for (const field of ['uid', 'extra']) delete spec[field]
  return object
}

/** The parts of two values that differ, so that a reader sees them at once. */
function differingParts(left: unknown, right: unknown): [unknown, unknown] {
  const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap(left) || !isMap(right)) return [left, right]
  const shown: [Fields, Fields] = [{}, {}]
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (isEqualJson(left[key], right[key])) continue
    const [a, b] = differingParts(left[key], right[key])
    shown[0][key] = a
    shown[1][key] = b
  }
  return shown
}

async function remove(path: string): Promise<void> {
  for (const server of servers) {
    const { code } = await server.ask('DELETE', `${path}?gracePeriodSeconds=0`)
    if (code === 404) continue
    const left = await server.ask('GET', path)
    if (left.code !== 200) continue
    await server.ask('PATCH', path, { metadata: { finalizers: null } }, 'application/merge-patch+json')
    await server.ask('DELETE', `${path}?gracePeriodSeconds=0`)
  }
}

function report(): void {
  if (flags.differences !== undefined) writeFileSync(flags.differences, differences.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const count = (what: Difference['what']) => differences.filter((one) => one.what === what).length
  const percent = (n: number) => `${((100 * n) / operations).toFixed(2)} %`
  console.log(`\n${operations} operations over ${chosen.length} kinds, seed ${seed}:`)
  for (const what of ['acceptance', 'code', 'message', 'warnings', 'object'] as const)
    console.log(`  differences in ${what}: ${count(what)} (${percent(count(what))})`)
  for (const one of differences.filter(({ what }) => what === 'acceptance').slice(0, 20)) console.log(JSON.stringify(one).slice(0, 1500))
}

await main()

import { beforeEach, describe, expect, test } from 'vitest'
import {
  kinds as builtIn,
  customResourceDefinitions,
  endpoints,
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  pods,
  services,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { KindSet } from '../../api/machinery/kind-set.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { createAuthority, createCertificate } from '../../cluster/credentials/certificates.ts'
import { createInProcessClient } from '../../cluster/in-process-client.ts'
import { whenConverted } from '../rest/conversion.ts'
import { type Bench, input, openBench, options, pod, refusal, shown } from '../rest/testing/rest-bench.ts'
import { definition } from './testing/definitions.ts'

const crds = customResourceDefinitions
const { certificate } = createCertificate(
  createAuthority('converters', Date.now()),
  { commonName: 'converter', use: 'server', hosts: ['converter.default.svc'] },
  Date.now(),
)

type HostPort = KubernetesObject & { readonly hostPort?: string; readonly host?: string; readonly port?: string }

/** v1 has `hostPort`, v2 has `host` and `port`. */
function convert(object: HostPort, apiVersion: string): object {
  const { hostPort, host, port, ...rest } = object
  if (apiVersion.endsWith('/v1')) return { ...rest, apiVersion, hostPort: `${host}:${port}` }
  return { ...rest, apiVersion, host: hostPort?.split(':')[0], port: hostPort?.split(':')[1], unknown: 'pruned' }
}

let kinds: KindSet
let bench: Bench
let calls: string[]
let failure: string | undefined
/** What the webhook answers instead of converted objects. */
let invalid: ((objects: readonly KubernetesObject[]) => unknown) | undefined
/** The webhook answers when it resolves. */
let mayAnswer: Promise<void> | undefined

beforeEach(async () => {
  kinds = new KindSet(builtIn)
  calls = []
  failure = undefined
  invalid = undefined
  mayAnswer = undefined
  bench = await openBench({
    kinds,
    findPodServer: () => ({
      certificate,
      async post(_, body) {
        const { request, ...review } = JSON.parse(body)
        calls.push(
          `${request.objects.map((one: KubernetesObject) => `${one.apiVersion} ${one.metadata?.name}`)} -> ${request.desiredAPIVersion}`,
        )
        if (calls.length > 100) throw new Error('the webhook is called for ever')
        await mayAnswer
        const convertedObjects =
          invalid?.(request.objects) ?? request.objects.map((one: HostPort) => convert(one, request.desiredAPIVersion))
        const result = failure === undefined ? { status: 'Success' } : { status: 'Failure', message: failure }
        return { code: 200, body: JSON.stringify({ ...review, response: { uid: request.uid, convertedObjects, result } }) }
      },
    }),
  })
  await bench.create(pods, pod('converter'))
  await bench.create(services, { metadata: { name: 'converter' }, spec: { selector: { app: 'x' }, ports: [{ port: 443 }] } })
  const addresses = [{ ip: '10.0.0.1', targetRef: { kind: 'Pod', name: 'converter', namespace: 'default' } }]
  await bench.create(endpoints, { metadata: { name: 'converter' }, subsets: [{ addresses, ports: [{ port: 443 }] }] })
  await bench.create(crds, twoVersions('v1'))
})

const withMetadata =
  (more: object) =>
  ([first]: readonly KubernetesObject[]) => [{ kind: 'CronTab', apiVersion: 'example.com/v2', metadata: { ...first?.metadata, ...more } }]

function twoVersions(storage: string): object {
  const version = (name: string, fields: readonly string[]) => ({
    name,
    served: true,
    storage: name === storage,
    schema: { openAPIV3Schema: { type: 'object', properties: Object.fromEntries(fields.map((one) => [one, { type: 'string' }])) } },
    selectableFields: fields.map((one) => ({ jsonPath: `.${one}` })),
  })
  return definition([version('v1', ['hostPort']), version('v2', ['host', 'port'])] as never, {
    conversion: {
      strategy: 'Webhook',
      webhook: {
        clientConfig: {
          service: { namespace: 'default', name: 'converter', path: '/convert' },
          caBundle: Buffer.from(certificate).toString('base64'),
        },
        conversionReviewVersions: ['v1'],
      },
    },
  })
}

const kindOf = (version: string): Kind => kinds.all.find((kind) => kind.plural === 'crontabs' && kind.version === version)!
const get = async (version: string, name: string) =>
  (await whenConverted(kindOf(version), () => bench.rest.get(kindOf(version), 'default', name))).object as HostPort
const list = async (version: string, fieldSelector?: string) => {
  const read = () => bench.rest.list(kindOf(version), 'default', fieldSelector === undefined ? {} : { fieldSelector })
  return (await whenConverted(kindOf(version), read)).items.map(({ object }) => object as HostPort)
}
async function storeAs(version: string): Promise<void> {
  const { metadata } = bench.rest.get(crds, '', 'crontabs.example.com').object
  const { resourceVersion } = metadata ?? {}
  await bench.rest.update(
    crds,
    '',
    'crontabs.example.com',
    undefined,
    input({ ...twoVersions(version), metadata: { name: 'crontabs.example.com', resourceVersion } }),
    options,
  )
  await new Promise((resolve) => setImmediate(resolve))
}

describe('conversion by webhook', () => {
  test('shows each version with its own fields, and converts an object once', async () => {
    const made = (await bench.create(kindOf('v2'), { metadata: { name: 'a' }, host: 'h', port: '80' })) as HostPort
    expect(made).toMatchObject({ apiVersion: 'example.com/v2', host: 'h', port: '80' })
    expect(made).not.toHaveProperty('unknown')
    expect(await get('v1', 'a')).toMatchObject({ apiVersion: 'example.com/v1', hostPort: 'h:80' })
    expect(await get('v2', 'a')).toEqual(made)
    expect(await get('v2', 'a')).toMatchObject({ metadata: { uid: made.metadata?.uid } })
    expect(calls).toEqual(['example.com/v2 a -> example.com/v1', 'example.com/v1 a -> example.com/v2'])
  })

  test('lists and watches in one call, with the selectable fields of the version', async () => {
    for (const [name, hostPort] of [
      ['a', 'h:1'],
      ['b', 'h:2'],
    ])
      await bench.create(kindOf('v1'), { metadata: { name }, hostPort })
    expect((await list('v2', 'port=2')).map(({ metadata }) => metadata?.name)).toEqual(['b'])
    expect(calls).toEqual(['example.com/v1 a,example.com/v1 b -> example.com/v2'])
    const watch = bench.watch(kindOf('v2'), 'default', { fieldSelector: 'host=h' })
    await bench.create(kindOf('v1'), { metadata: { name: 'c' }, hostPort: 'h:3' })
    await bench.rest.patch(kindOf('v1'), 'default', 'c', undefined, 'merge', { object: { hostPort: 'i:3' } }, options)
    await bench.rest.delete(kindOf('v2'), 'default', 'a', options)
    await expect.poll(() => shown(watch.events)).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'DELETED c', 'DELETED a'])
  })

  test('updates, patches and applies in any version', async () => {
    await bench.create(kindOf('v1'), { metadata: { name: 'a' }, hostPort: 'h:1' })
    await bench.rest.patch(kindOf('v2'), 'default', 'a', undefined, 'merge', { object: { port: '9' } }, options)
    expect(await get('v1', 'a')).toMatchObject({ hostPort: 'h:9' })
    const current = await get('v2', 'a')
    await bench.rest.update(kindOf('v2'), 'default', 'a', undefined, input({ ...current, host: 'i' }), options)
    expect(await get('v1', 'a')).toMatchObject({ hostPort: 'i:9' })
  })

  test('keeps objects that were stored before the storage version changed', async () => {
    await bench.create(kindOf('v1'), { metadata: { name: 'a' }, hostPort: 'h:1' })
    await storeAs('v2')
    await bench.create(kindOf('v2'), { metadata: { name: 'b' }, host: 'h', port: '2' })
    expect(await list('v1')).toMatchObject([{ hostPort: 'h:1' }, { hostPort: 'h:2' }])
    expect(await list('v2')).toMatchObject([{ port: '1' }, { port: '2' }])
    const client = createInProcessClient({ rest: bench.rest, kinds, name: 'test' })
    expect((await client.list(kindOf('v2'))).items).toMatchObject([{ port: '1' }, { port: '2' }])
    const watch = bench.watch(kindOf('v1'), 'default', {})
    await bench.rest.delete(kindOf('v1'), 'default', 'a', options)
    await expect.poll(() => shown(watch.events)).toEqual(['ADDED a', 'ADDED b', 'DELETED a'])
    // A server that starts later reads it from the definition.
    const later = new KindSet(builtIn)
    await openBench({ kinds: later, store: bench.store }).catch(() => {})
    const again = later.all.find((kind) => kind.plural === 'crontabs' && kind.version === 'v1')!
    expect([2, 1e9].map((revision) => again.conversion?.kindAt(revision).version)).toEqual(['v1', 'v2'])
  })

  test('says why it failed', async () => {
    await bench.create(kindOf('v1'), { metadata: { name: 'a' }, hostPort: 'h:1' })
    failure = 'not today'
    const message = 'conversion webhook for example.com/v1, Kind=CronTab failed: not today'
    expect(await refusal(get('v2', 'a'))).toMatchObject({ code: 500, message })
    expect(await get('v1', 'a')).toMatchObject({ hostPort: 'h:1' })
  })

  test('ends reads that began before the definition changed, beside reads that began after', async () => {
    await bench.create(kindOf('v1'), { metadata: { name: 'a' }, hostPort: 'h:1' })
    const before = kindOf('v2')
    const change = { spec: { conversion: { webhook: { clientConfig: { service: { path: '/changed' } } } } } }
    await bench.rest.patch(crds, '', 'crontabs.example.com', undefined, 'merge', { object: change }, options)
    const now = kindOf('v2')
    expect(now).not.toBe(before)
    const reads = await Promise.all([before, now].map((kind) => whenConverted(kind, () => bench.rest.get(kind, 'default', 'a'))))
    expect(reads.map(({ object }) => object)).toMatchObject([{ port: '1' }, { port: '1' }])
    expect(calls).toHaveLength(2)
  })

  test('refuses a write whose storage version has changed while it was converted', async () => {
    let answer = () => {}
    mayAnswer = new Promise((resolve) => {
      answer = resolve
    })
    const writing = refusal(bench.create(kindOf('v2'), { metadata: { name: 'a' }, host: 'h', port: '1' }))
    await expect.poll(() => calls).toHaveLength(1)
    await storeAs('v2')
    answer()
    expect(await writing).toMatchObject({ code: 429, details: { retryAfterSeconds: 1 } })
    await bench.create(kindOf('v2'), { metadata: { name: 'a' }, host: 'h', port: '1' })
    expect(await get('v1', 'a')).toMatchObject({ hostPort: 'h:1' })
  })

  test('deletes the definition when the webhook answers again', async () => {
    await bench.create(kindOf('v1'), { metadata: { name: 'a' }, hostPort: 'h:1' })
    await storeAs('v2')
    failure = 'not today'
    await bench.rest.delete(crds, '', 'crontabs.example.com', options)
    await expect.poll(() => calls.length).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    failure = undefined
    bench.clock.pass(5_000)
    await expect.poll(() => bench.rest.list(crds, '', {}).items).toEqual([])
  })

  test.each([
    ['null', () => [null], 'it is not an object'],
    ['a number', () => 5, 'the type of response.convertedObjects is wrong'],
    ['too few objects', () => [], 'returned 0 objects, expected 1'],
    ['no metadata', () => [{ kind: 'CronTab', apiVersion: 'example.com/v2' }], 'missing metadata in converted object'],
    ['another version', () => [{ kind: 'CronTab', apiVersion: { a: 1 } }], 'invalid groupVersion'],
    ['labels that are no map', withMetadata({ labels: 'x' }), 'invalid metadata.labels in converted object'],
    ['a label that is a number', withMetadata({ labels: { a: 5 } }), 'metadata.labels\\[a\\] must be a string'],
    ['an invalid label', withMetadata({ labels: { 'a b': 'c' } }), 'metadata.labels: Invalid value: "a b"'],
    ['an invalid annotation', withMetadata({ annotations: { 'a b': 'c' } }), 'metadata.annotation: Invalid value: "a b"'],
    ['too many annotations', withMetadata({ annotations: { a: 'b'.repeat(300_000) } }), 'metadata.annotation: Too long'],
    ['another name', withMetadata({ name: { toString: 1 } }), 'must have the same name'],
  ])('ends watches with an error where the webhook answers with %s', async (_, answered, message) => {
    const watch = bench.watch(kindOf('v2'), 'default', {})
    invalid = answered as typeof invalid
    await bench.create(kindOf('v1'), { metadata: { name: 'a' }, hostPort: 'h:1' })
    await expect.poll(() => shown(watch.events)).toEqual([expect.stringMatching(`^ERROR .*${message}`)])
  })

  test('sends no bookmark for changes that are not converted yet', async () => {
    const watch = bench.watch(kindOf('v2'), 'default', { resourceVersion: String(bench.store.revision), allowWatchBookmarks: true })
    let answer = () => {}
    mayAnswer = new Promise((resolve) => {
      answer = resolve
    })
    await bench.create(kindOf('v1'), { metadata: { name: 'a' }, hostPort: 'h:1' })
    await expect.poll(() => calls).toHaveLength(1)
    bench.clock.pass(60_000)
    answer()
    await expect.poll(() => shown(watch.events)).toEqual(['BOOKMARK', 'ADDED a'])
    bench.clock.pass(60_000)
    const [first, added, last] = watch.events.map(({ object }) =>
      Number((object as { readonly object: KubernetesObject }).object.metadata?.resourceVersion),
    )
    expect(first).toBeLessThan(added!)
    expect(last).toBe(added)
  })

  test('shows objects to admission policies for another version as the webhook converts them', async () => {
    const match = {
      matchPolicy: 'Equivalent',
      resourceRules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: ['example.com'], apiVersions: ['v2'], resources: ['crontabs'] }],
    }
    await bench.create(mutatingAdmissionPolicies, {
      metadata: { name: 'port' },
      spec: {
        matchConstraints: match,
        reinvocationPolicy: 'Never',
        mutations: [
          { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "replace", path: "/port", value: object.port + "0"}]' } },
        ],
      },
    })
    await bench.create(mutatingAdmissionPolicyBindings, { metadata: { name: 'port' }, spec: { policyName: 'port' } })
    await bench.create(validatingAdmissionPolicies, {
      metadata: { name: 'host' },
      spec: { matchConstraints: match, validations: [{ expression: 'object.host == "h" && object.port == "80"' }] },
    })
    await bench.create(validatingAdmissionPolicyBindings, {
      metadata: { name: 'host' },
      spec: { policyName: 'host', validationActions: ['Deny'] },
    })
    expect(await bench.create(kindOf('v1'), { metadata: { name: 'a' }, hostPort: 'h:8' })).toMatchObject({ hostPort: 'h:80' })
    expect(await refusal(bench.create(kindOf('v1'), { metadata: { name: 'b' }, hostPort: 'i:8' }))).toMatchObject({ code: 422 })
  })
})

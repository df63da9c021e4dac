// What published definitions and manifests rely on, beyond the rules for each part.
import { beforeEach, expect, test } from 'vitest'
import { kinds as builtIn, clusterRoles, customResourceDefinitions, limitRanges, persistentVolumeClaims } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { KindSet } from '../../api/machinery/kind-set.ts'
import type { CustomResourceDefinition } from '../../api/machinery/structural/definition.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { type Bench, input, openBench, options, refusal } from '../rest/testing/rest-bench.ts'
import { definition, schema, version } from './testing/definitions.ts'

const crds = customResourceDefinitions
let kinds: KindSet
let bench: Bench

beforeEach(async () => {
  kinds = new KindSet(builtIn)
  bench = await openBench({ kinds })
})

const crontabs = (name = 'v1'): Kind => kinds.all.find((kind) => kind.plural === 'crontabs' && kind.version === name)!
const spec = { type: 'object', properties: { image: { type: 'string' } } } as const

test('a custom resource may have a finalizer without a path, with a warning', async () => {
  await bench.create(crds, definition([version(schema(spec))]))
  const warnings: string[] = []
  const metadata = { name: 'a', namespace: 'default', finalizers: ['plain', 'cleanup.example.com', 'example.com/cleanup', 'kubernetes'] }
  const object = { kind: 'CronTab', apiVersion: 'example.com/v1', metadata, spec: {} }
  await bench.rest.create(crontabs(), 'default', input(object), { ...options, warn: (warning) => void warnings.push(warning) })
  expect(warnings).toEqual([
    'metadata.finalizers: "cleanup.example.com": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
    'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
  ])
})

test('the default of a status is there from the start, whatever the writer sets', async () => {
  const status = { type: 'object', default: { phase: 'Pending' }, properties: { phase: { type: 'string' } } } as const
  const properties = { spec, status }
  await bench.create(crds, definition([version({ type: 'object', properties }, { subresources: { status: {} } })]))
  const made = await bench.create(crontabs(), { metadata: { name: 'a' }, spec: {}, status: { phase: 'Done' } })
  expect(made).toMatchObject({ status: { phase: 'Pending' } })
})

test.each([
  ['a string', { type: 'string' }, 'x'],
  ['null', { type: 'object', nullable: true, properties: { image: { type: 'string' } } }, null],
] as const)('a spec that is %s has an owner', async (_name, ofSpec, value) => {
  await bench.create(crds, definition([version(schema(ofSpec))]))
  const made = await bench.create(crontabs(), { metadata: { name: 'a' }, spec: value })
  expect(made.metadata?.managedFields).toMatchObject([{ fieldsV1: { 'f:spec': {} } }])
})

test('an atomic object with unknown fields is owned whole', async () => {
  const free = { type: 'object', 'x-kubernetes-map-type': 'atomic', 'x-kubernetes-preserve-unknown-fields': true } as const
  await bench.create(crds, definition([version(schema(free))]))
  const made = (await bench.create(crontabs(), { metadata: { name: 'a' }, spec: { steps: ['one'] } })) as KubernetesObject
  expect(made.metadata?.managedFields?.map(({ fieldsV1 }) => fieldsV1)).toEqual([{ 'f:spec': {} }])
  const applied = { apiVersion: 'example.com/v1', kind: 'CronTab', metadata: { name: 'b' }, spec: { steps: ['one'] } }
  const { response } = await bench.rest.patch(crontabs(), 'default', 'b', undefined, 'apply', input(applied), options)
  expect((response.object as KubernetesObject).metadata?.managedFields?.map(({ fieldsV1 }) => fieldsV1)).toEqual([{ 'f:spec': {} }])
})

test('a column whose path finds several values shows the first', async () => {
  const additionalPrinterColumns = [{ name: 'Formats', type: 'string', jsonPath: '.spec.formats[*].name' }]
  const formats = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const
  await bench.create(crds, definition([version(schema(formats), { additionalPrinterColumns })]))
  const object = { metadata: { name: 'a' }, spec: { formats: [{ name: 'one' }, { name: 'two' }] } } as KubernetesObject
  expect(crontabs().columns?.cells(object, 0)).toEqual(['a', 'one'])
})

test('the warning about a deprecated version names the version that clients prefer', async () => {
  const older = { storage: false, deprecated: true }
  await bench.create(
    crds,
    definition([
      version(schema(spec)),
      version(schema(spec), { name: 'v1beta1', ...older }),
      version(schema(spec), { name: 'v2alpha1', storage: false }),
    ]),
  )
  expect(crontabs('v1beta1').deprecation).toBe('example.com/v1beta1 CronTab is deprecated; use example.com/v1 CronTab')
})

test('the approval of a definition in a group of Kubernetes cannot be removed', async () => {
  const approved = { 'api-approved.kubernetes.io': 'unapproved, a test' }
  const given = definition([version(schema(spec))], { group: 'demo.k8s.io' }) as { metadata: { name: string } }
  const { metadata, ...rest } = given
  await bench.create(crds, { ...rest, metadata: { ...metadata, annotations: approved } })
  const { resourceVersion } = bench.rest.get(crds, '', metadata.name).object.metadata!
  const next = (version?: string) => input({ ...rest, metadata: { ...metadata, resourceVersion: version } })
  const update = (body: ReturnType<typeof input>) => refusal(bench.rest.update(crds, '', metadata.name, undefined, body, options))
  expect((await update(next())).message).toContain('metadata.resourceVersion: Invalid value: 0: must be specified for an update')
  const refused = await update(next(resourceVersion))
  expect(refused.message).toContain('metadata.annotations[api-approved.kubernetes.io]: Required value')
})

test.each([
  ['https://example.com/pull/1', 'True', 'ApprovedAnnotation', 'approved in https://example.com/pull/1'],
  ['unapproved, a test', 'False', 'UnapprovedAnnotation', 'not approved: "unapproved, a test"'],
])('a definition in a group of Kubernetes shows its approval: %s', async (value, status, reason, message) => {
  const { metadata, ...rest } = definition([version(schema(spec))], { group: 'demo.k8s.io' }) as { metadata: { name: string } }
  await bench.create(crds, { ...rest, metadata: { ...metadata, annotations: { 'api-approved.kubernetes.io': value } } })
  await new Promise((resolve) => setImmediate(resolve))
  const { object } = bench.rest.get(crds, '', metadata.name)
  const condition = { type: 'KubernetesAPIApprovalPolicyConformant', status, reason, message }
  expect((object as CustomResourceDefinition).status?.conditions).toContainEqual(expect.objectContaining(condition))
})

test('a role without rules comes back with null', async () => {
  expect(await bench.create(clusterRoles, { metadata: { name: 'none' }, rules: [] })).toMatchObject({ rules: null })
})

test('a LimitRange also limits claims that are updated', async () => {
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '3Gi' } } },
  }
  await bench.create(persistentVolumeClaims, claim)
  const limits = [{ type: 'PersistentVolumeClaim', max: { storage: '2Gi' } }]
  await bench.create(limitRanges, { metadata: { name: 'small' }, spec: { limits } })
  const labelled = { ...claim, metadata: { name: 'data', labels: { a: 'b' } } }
  const refused = await refusal(bench.rest.update(persistentVolumeClaims, 'default', 'data', undefined, input(labelled), options))
  expect(refused.message).toContain('maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi')
})

test('a LimitRange does not keep a terminating claim from losing its finalizers', async () => {
  const kind = persistentVolumeClaims
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '3Gi' } } }
  await bench.create(kind, { metadata: { name: 'data', finalizers: ['example.com/hold'] }, spec })
  const limits = [{ type: 'PersistentVolumeClaim', max: { storage: '2Gi' } }]
  await bench.create(limitRanges, { metadata: { name: 'small' }, spec: { limits } })
  await bench.rest.delete(kind, 'default', 'data', options)
  await bench.rest.update(kind, 'default', 'data', undefined, input({ metadata: { name: 'data', finalizers: [] }, spec }), options)
  expect((await refusal(() => bench.rest.get(kind, 'default', 'data'))).reason).toBe('NotFound')
})

test('an applied custom resource with a wrong time is refused, and not an error of the server', async () => {
  await bench.create(crds, definition([version(schema(spec))]))
  await bench.create(crontabs(), { metadata: { name: 'a' }, spec: {} })
  const applied = { apiVersion: 'example.com/v1', kind: 'CronTab', metadata: { name: 'a', creationTimestamp: 'tomorrow' } }
  const { message } = await refusal(bench.rest.patch(crontabs(), 'default', 'a', undefined, 'apply', input(applied), options))
  expect(message).toContain('parsing time "tomorrow"')
})

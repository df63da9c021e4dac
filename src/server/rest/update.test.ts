import { describe, expect, it } from 'vitest'
import { deployments, leases } from '../../api/kinds.ts'
import {
  type Bench,
  configMap,
  configMapKind,
  input,
  namespaceKind,
  openBench,
  options,
  pod,
  podKind,
  refusal,
} from './testing/rest-bench.ts'

const put = ({ rest }: Bench, object: { metadata: { name: string } }, name = object.metadata.name) =>
  rest.update(configMapKind, 'default', name, undefined, input(object), options)

async function openOne() {
  const bench = await openBench()
  const made = await bench.create(configMapKind, configMap('a'))
  return { ...bench, made }
}

const template = { metadata: { labels: { app: 'x' } }, spec: pod('').spec }
const deployment = (more: object = {}, metadata: object = {}) => ({
  metadata: { name: 'd', ...metadata },
  spec: { selector: { matchLabels: { app: 'x' } }, template, ...more },
})

describe('update', () => {
  it("replaces the object and keeps what is the server's", async () => {
    const bench = await openOne()
    const { response: answer, created } = await put(bench, configMap('a', { data: { b: '2' } }))
    expect(created).toBe(false)
    expect(answer.object).toMatchObject({ data: { b: '2' } })
    expect(answer.object).not.toHaveProperty('data.a')
    expect(answer.object.metadata).toMatchObject({
      uid: bench.made.metadata?.uid,
      creationTimestamp: bench.made.metadata?.creationTimestamp,
      resourceVersion: '4',
    })
  })

  it('writes nothing when nothing changes', async () => {
    const bench = await openOne()
    const { revision } = bench.store
    bench.clock.pass(5000)
    const { response: answer } = await put(bench, configMap('a'))
    expect(bench.store.revision).toBe(revision)
    expect(answer.object).toBe(bench.made)
  })

  it.each([
    [
      'an old version',
      configMap('a', {}, { resourceVersion: '2' }),
      409,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    ['a version that is none', configMap('a', {}, { resourceVersion: 'x' }), 500, 'strconv.ParseUint: parsing "x": invalid syntax'],
    ['another name', configMap('b'), 400, 'the name of the object (b) does not match the name on the URL (a)'],
    ['no name', configMap(''), 400, 'the name of the object (a based on URL) was undeterminable: name must be provided'],
    [
      'another namespace',
      configMap('a', {}, { namespace: 'other' }),
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
  ])('refuses %s', async (_, object, code, message) => {
    expect(await refusal(put(await openOne(), object, 'a'))).toMatchObject({ code, message })
  })

  it('refuses another uid', async () => {
    const bench = await openOne()
    expect(await refusal(put(bench, configMap('a', {}, { uid: 'other' })))).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${bench.made.metadata?.uid}`,
    })
  })

  it('does not create, but for kinds that may', async () => {
    const { rest, store } = await openBench()
    expect(await refusal(rest.update(configMapKind, 'default', 'zzz', undefined, input(configMap('zzz')), options))).toMatchObject({
      code: 404,
    })
    const lease = { metadata: { name: 'l', resourceVersion: '1' }, spec: { holderIdentity: 'me' } }
    const { created, response: answer } = await rest.update(leases, 'default', 'l', undefined, input(lease), options)
    expect(created).toBe(true)
    expect(answer.object.metadata?.resourceVersion).toBe(String(store.revision))
  })

  it('does not create with a resourceVersion that is no number', async () => {
    const { rest } = await openBench()
    const lease = { metadata: { name: 'l', resourceVersion: 'x' }, spec: { holderIdentity: 'me' } }
    expect(await refusal(rest.update(leases, 'default', 'l', undefined, input(lease), options))).toMatchObject({
      code: 500,
      message: 'strconv.ParseUint: parsing "x": invalid syntax',
    })
  })

  it('requires a resourceVersion in the update of a Lease', async () => {
    const { rest, create } = await openBench()
    await create(leases, { metadata: { name: 'l' } })
    expect(await refusal(rest.update(leases, 'default', 'l', undefined, input({ metadata: { name: 'l' } }), options))).toMatchObject({
      code: 422,
      message: 'leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    })
  })

  it('applies unconditional updates one after the other', async () => {
    const bench = await openOne()
    const all = Array.from({ length: 10 }, (_, i) => put(bench, configMap('a', { data: { a: `n${i}` } })))
    const versions = (await Promise.all(all)).map(({ response: answer }) => Number(answer.object.metadata?.resourceVersion))
    expect(new Set(versions).size).toBe(10)
  })

  it('accepts one of several conditional updates', async () => {
    const bench = await openOne()
    const resourceVersion = bench.made.metadata?.resourceVersion
    const all = Array.from({ length: 5 }, (_, i) => put(bench, configMap('a', { data: { a: `n${i}` } }, { resourceVersion })))
    const results = await Promise.allSettled(all)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it("counts generations of the spec only, and of a Deployment's annotations", async () => {
    const { rest, create } = await openBench()
    const kind = deployments
    await create(kind, deployment())
    const send = async (object: object) =>
      (await rest.update(kind, 'default', 'd', undefined, input(object), options)).response.object.metadata?.generation
    expect(await send(deployment({}, { labels: { a: 'b' } }))).toBe(1)
    expect(await send(deployment({ replicas: 3 }))).toBe(2)
    expect(await send(deployment({ replicas: 3 }, { annotations: { a: 'b' }, generation: 99 }))).toBe(3)
  })

  it('keeps the status on an ordinary write, and the rest on a write of the status', async () => {
    const { rest, create } = await openBench()
    await create(podKind, pod('p'))
    const status = { phase: 'Running', message: 'here' }
    const written = await rest.update(
      podKind,
      'default',
      'p',
      'status',
      input({ ...pod('p', { activeDeadlineSeconds: 5 }), status }),
      options,
    )
    expect(written.response.object).toMatchObject({ status: { phase: 'Running', message: 'here', qosClass: 'BestEffort' } })
    expect(written.response.object).not.toHaveProperty('spec.activeDeadlineSeconds')
    const { response: answer } = await rest.update(
      podKind,
      'default',
      'p',
      undefined,
      input(pod('p', {}, { labels: { app: 'y' } })),
      options,
    )
    expect(answer.object).toMatchObject({ status: { message: 'here' }, metadata: { labels: { app: 'y' } } })
  })

  it('responds to a dry run with the current version, and writes nothing', async () => {
    const { rest, store } = await openOne()
    const { revision } = store
    const { response: answer } = await rest.update(configMapKind, 'default', 'a', undefined, input(configMap('a', { data: { z: '1' } })), {
      ...options,
      dryRun: true,
    })
    expect(answer.object).toMatchObject({ data: { z: '1' }, metadata: { resourceVersion: '3' } })
    expect(JSON.parse(answer.json)).toMatchObject({ data: { z: '1' }, metadata: { resourceVersion: '3' } })
    expect(store.revision).toBe(revision)
  })

  it('removes an object that loses its last finalizer while it is being deleted', async () => {
    const bench = await openBench()
    const { rest, create, watch } = bench
    await create(configMapKind, configMap('a', {}, { finalizers: ['x.example/f'] }))
    await rest.delete(configMapKind, 'default', 'a', options)
    const { events } = watch(configMapKind, 'default', { resourceVersion: String(bench.store.revision) })
    const { response: answer } = await put(bench, configMap('a'))
    expect(answer.object.metadata).not.toHaveProperty('finalizers')
    expect(events.map(({ type }) => type)).toEqual(['DELETED'])
    expect(await refusal(() => rest.get(configMapKind, 'default', 'a'))).toMatchObject({ code: 404 })
  })

  it('adds no finalizers to what is being deleted', async () => {
    const bench = await openBench()
    await bench.create(configMapKind, configMap('a', {}, { finalizers: ['x.example/f'] }))
    await bench.rest.delete(configMapKind, 'default', 'a', options)
    const status = await refusal(put(bench, configMap('a', {}, { finalizers: ['x.example/f', 'x.example/g'] })))
    expect(status.message).toContain('no new finalizers can be added if the object is being deleted')
  })

  it('takes the finalizers of a namespace through `finalize` only', async () => {
    const { rest, create } = await openBench()
    await create(namespaceKind, { metadata: { name: 'n' } })
    const empty = input({ metadata: { name: 'n' }, spec: { finalizers: [] } })
    const ordinary = await rest.update(namespaceKind, '', 'n', undefined, empty, options)
    expect(ordinary.response.object).toMatchObject({ spec: { finalizers: ['kubernetes'] } })
    await rest.delete(namespaceKind, '', 'n', options)
    await rest.update(namespaceKind, '', 'n', 'finalize', empty, options)
    expect(await refusal(() => rest.get(namespaceKind, '', 'n'))).toMatchObject({ code: 404 })
  })

  it('knows no endpoints that the kind does not have', async () => {
    const { rest } = await openOne()
    expect(await refusal(rest.update(configMapKind, 'default', 'a', 'status', input(configMap('a')), options))).toMatchObject({
      code: 404,
      message: 'the server could not find the requested resource',
    })
  })

  it('tracks the managers of fields', async () => {
    const bench = await openOne()
    const { response: answer } = await bench.rest.update(
      configMapKind,
      'default',
      'a',
      undefined,
      input(configMap('a', { data: { a: '2' } })),
      {
        ...options,
        manager: 'other',
      },
    )
    expect(answer.object.metadata?.managedFields?.map(({ manager }) => manager).sort()).toEqual(['other', 'test'])
  })
})

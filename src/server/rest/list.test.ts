import { describe, expect, it } from 'vitest'
import { certificateSigningRequests } from '../../api/kinds.ts'
import { signingRequests } from '../../api/testing/signing-requests.ts'
import { openMemoryStore } from '../../store/memory-store.ts'
import { decodeContinue, encodeContinue } from './list.ts'
import type { ListQuery } from './rest.ts'
import { configMap, configMapKind, input, namespaceKind, openBench, options, pod, podKind, refusal } from './testing/rest-bench.ts'

async function openFour() {
  const bench = await openBench()
  for (const [name, k] of [
    ['a', '1'],
    ['b', '2'],
    ['c', '3'],
    ['d', '1'],
  ] as const)
    await bench.create(configMapKind, configMap(name, {}, { labels: { k } }))
  const names = (query: ListQuery, namespace = 'default') =>
    bench.rest.list(configMapKind, namespace, query).items.map(({ object }) => object.metadata?.name)
  return { ...bench, names }
}

describe('list', () => {
  it('selects certificate requests by their signer', async () => {
    const { rest, create } = await openBench()
    const request = btoa(signingRequests.alice)
    const kind = certificateSigningRequests
    for (const signer of ['a', 'b'])
      await create(kind, { metadata: { name: signer }, spec: { request, signerName: `example.com/${signer}`, usages: ['client auth'] } })
    const { items } = rest.list(kind, '', { fieldSelector: 'spec.signerName=example.com/b' })
    expect(items.map(({ object }) => object.metadata?.name)).toEqual(['b'])
  })

  it('returns the serialized objects without parsing them, with the revision of the state', async () => {
    const { rest, store } = await openFour()
    const { items, resourceVersion } = rest.list(configMapKind, 'default', {})
    expect(items).toHaveLength(4)
    expect(items[0]!.json).toMatch(/^{"metadata":{"name":"a","namespace":"default","uid":"/)
    expect(resourceVersion).toBe(String(store.revision))
  })

  it.each([
    ['label equals', { labelSelector: 'k=1' }, ['a', 'd']],
    ['label is one of', { labelSelector: 'k in (1,2)' }, ['a', 'b', 'd']],
    ['label differs', { labelSelector: 'k!=1' }, ['b', 'c']],
    ['label is greater', { labelSelector: 'k>1' }, ['b', 'c']],
    ['label is missing', { labelSelector: '!k' }, []],
    ['name', { fieldSelector: 'metadata.name=b' }, ['b']],
    ['name and label', { fieldSelector: 'metadata.name=b', labelSelector: 'k=1' }, []],
    ['another name', { fieldSelector: 'metadata.name!=b' }, ['a', 'c', 'd']],
    ['namespace', { fieldSelector: 'metadata.namespace=default,metadata.name=c' }, ['c']],
    ['another namespace', { fieldSelector: 'metadata.namespace=other' }, []],
  ])('selects by %s', async (_, query, expected) => {
    const { names } = await openFour()
    expect(names(query)).toEqual(expected)
    expect(names(query, '')).toEqual(expected)
  })

  it.each([
    ['labels', { labelSelector: '==' }, "found '==', expected: !, identifier, or 'end of string'"],
    [
      'an unknown field',
      { fieldSelector: 'data.a=1' },
      '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['no operator', { fieldSelector: 'x' }, "invalid selector: 'x'; can't understand 'x'"],
    ['a bad escape', { fieldSelector: 'metadata.name=a\\b' }, 'invalid field selector: invalid escape sequence: \\b'],
    ['a bare equals sign', { fieldSelector: 'metadata.name=a=b' }, 'invalid field selector: unescaped character in value: 61'],
    [
      'a bad version',
      { resourceVersion: 'x' },
      'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
  ])('refuses %s', async (_, query, message) => {
    const { rest } = await openFour()
    expect(await refusal(() => rest.list(configMapKind, 'default', query))).toMatchObject({ code: 400, message })
  })

  it('selects pods by their fields', async () => {
    const { rest, create } = await openBench()
    await create(podKind, pod('a', { nodeName: 'node-1' }))
    await create(podKind, pod('b'))
    const names = (fieldSelector: string) => rest.list(podKind, '', { fieldSelector }).items.map(({ object }) => object.metadata?.name)
    expect(names('spec.nodeName=node-1')).toEqual(['a'])
    expect(names('spec.nodeName=')).toEqual(['b'])
    expect(names('status.phase!=Pending')).toEqual([])
    expect(await refusal(() => names('spec.image=x'))).toMatchObject({ message: 'field label not supported: spec.image' })
  })

  it('pages through one state, whatever happens meanwhile', async () => {
    const { rest, create } = await openFour()
    const first = rest.list(configMapKind, 'default', { limit: 3 })
    expect(first.remainingItemCount).toBe(1)
    await create(configMapKind, configMap('e'))
    await rest.delete(configMapKind, 'default', 'd', options)
    const second = rest.list(configMapKind, 'default', { limit: 3, continue: first.continue! })
    expect(second.items.map(({ object }) => object.metadata?.name)).toEqual(['d'])
    expect(second.resourceVersion).toBe(first.resourceVersion)
    expect(second.continue).toBeUndefined()
    expect(second.remainingItemCount).toBeUndefined()
  })

  it('pages with a selector, and then counts nothing', async () => {
    const { rest } = await openFour()
    const first = rest.list(configMapKind, 'default', { limit: 1, labelSelector: 'k=1' })
    expect(first.items.map(({ object }) => object.metadata?.name)).toEqual(['a'])
    expect(first.remainingItemCount).toBeUndefined()
    const second = rest.list(configMapKind, 'default', { limit: 1, labelSelector: 'k=1', continue: first.continue! })
    expect(second.items.map(({ object }) => object.metadata?.name)).toEqual(['d'])
    expect(second.continue).toBeUndefined()
  })

  it.each([
    ['fewer objects than are read at once', 100, { labelSelector: 'app=x' }],
    ['more of them', 1300, { labelSelector: 'app=x' }],
    ['no selector', 300, {}],
  ])('pages to the end although old states are compacted meanwhile: %s', async (_, count, query) => {
    const { rest, create } = await openBench({ store: openMemoryStore({ history: { events: 50 } }) })
    const named = (name: string) => create(configMapKind, { metadata: { name, labels: { app: 'x' } } })
    for (let i = 0; i < count; i++) await named(`c-${String(i).padStart(5, '0')}`)
    let seen = 0
    let next: string | undefined
    do {
      const page = rest.list(configMapKind, 'default', { limit: 60, ...query, ...(next && { continue: next }) })
      seen += page.items.length
      next = page.continue
      for (let i = 0; i < 60; i++) await named(`z-${seen}-${i}`)
    } while (next !== undefined)
    expect(seen).toBe(count)
  })

  it('offers to continue with the newest state when the page is too old', async () => {
    const { rest, store, create } = await openFour()
    const first = rest.list(configMapKind, 'default', { limit: 2 })
    await create(configMapKind, configMap('e'))
    store.compact(store.revision)
    const status = await refusal(() => rest.list(configMapKind, 'default', { limit: 2, continue: first.continue! }))
    expect(status).toMatchObject({ code: 410, reason: 'Expired' })
    const rest2 = rest.list(configMapKind, 'default', { continue: status.metadata.continue! })
    expect(rest2.items.map(({ object }) => object.metadata?.name)).toEqual(['c', 'd', 'e'])
  })

  it('expires a page after minutes, while watches continue from the same version', async () => {
    const { rest, clock, create, watch } = await openFour()
    const first = rest.list(configMapKind, 'default', { limit: 2 })
    const next = () => rest.list(configMapKind, 'default', { limit: 2, continue: first.continue! })
    await create(configMapKind, configMap('e'))
    clock.pass(60_000)
    expect(next().items).toHaveLength(2)
    clock.pass(290_000)
    expect(next().items).toHaveLength(2)
    clock.pass(20_000)
    const status = await refusal(next)
    expect(status).toMatchObject({ code: 410, reason: 'Expired' })
    expect(rest.list(configMapKind, 'default', { continue: status.metadata.continue! }).items).toHaveLength(3)
    expect(watch(configMapKind, 'default', { resourceVersion: first.resourceVersion }).events).toHaveLength(1)
    expect(rest.list(configMapKind, 'default', {}).items).toHaveLength(5)
  })

  it('reads an exact version, and refuses compacted and future ones', async () => {
    const { rest, store, create, names } = await openFour()
    const version = String(store.revision)
    await create(configMapKind, configMap('e'))
    expect(names({ resourceVersion: version, resourceVersionMatch: 'Exact' })).toHaveLength(4)
    expect(names({ resourceVersion: version, resourceVersionMatch: 'NotOlderThan' })).toHaveLength(5)
    expect(await refusal(() => rest.list(configMapKind, '', { resourceVersion: '900' }))).toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: `Timeout: Too large resource version: 900, current: ${store.revision}`,
      details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
    })
    store.compact(store.revision)
    expect(await refusal(() => names({ resourceVersion: version, resourceVersionMatch: 'Exact' }))).toMatchObject({
      code: 410,
      message: 'The resourceVersion for the provided list is too old.',
    })
  })

  it.each([
    [
      'a match without a version',
      { resourceVersionMatch: 'Exact' },
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      'an exact match of any version',
      { resourceVersion: '0', resourceVersionMatch: 'Exact' },
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    ['initial events', { sendInitialEvents: true }, 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
  ])('refuses %s', async (_, query, message) => {
    const { rest } = await openBench()
    expect(await refusal(() => rest.list(configMapKind, '', query))).toMatchObject({
      code: 422,
      message: `ListOptions.meta.k8s.io "" is invalid: ${message}`,
    })
  })

  it('lists a kind without namespaces by name', async () => {
    const { rest } = await openBench()
    expect(rest.list(namespaceKind, '', { fieldSelector: 'metadata.name=default' }).items).toHaveLength(1)
  })
})

describe('get', () => {
  it('refuses what is not there', async () => {
    const { rest } = await openBench()
    expect(await refusal(() => rest.get(configMapKind, 'default', 'none'))).toMatchObject({
      code: 404,
      message: 'configmaps "none" not found',
    })
    expect(await refusal(() => rest.get(configMapKind, 'default', '../x'))).toMatchObject({ code: 404 })
    expect(await refusal(() => rest.get(configMapKind, 'default', 'x', 'nothing'))).toMatchObject({ code: 404, details: {} })
  })

  it('parses again what was read long ago', async () => {
    const { rest, create } = await openBench({ maxParsedObjects: 2 })
    for (const name of ['a', 'b', 'c', 'd']) await create(configMapKind, configMap(name))
    for (const name of ['a', 'b', 'c', 'd']) expect(rest.get(configMapKind, 'default', name).object.metadata?.name).toBe(name)
    await rest.update(configMapKind, 'default', 'a', undefined, input(configMap('a', { data: { z: '9' } })), options)
    expect(rest.get(configMapKind, 'default', 'a').object).toMatchObject({ data: { z: '9' } })
  })
})

describe('continue tokens', () => {
  it('come back as they went', () => {
    expect(decodeContinue(encodeContinue('pods/a/b\0', 'pods/', 7), 'pods/')).toEqual({ revision: 7, startKey: 'pods/a/b\0' })
  })

  it.each([
    ['no base64', '!!'],
    ['no JSON', 'nonsense'],
    ['a climb', encodeContinue('pods/../secrets/a', 'pods/', 7)],
    ['no version', Buffer.from('{"rv":1,"start":"a"}').toString('base64url')],
    ['no revision', Buffer.from('{"v":"meta.k8s.io/v1","start":"a"}').toString('base64url')],
    ['no start', Buffer.from('{"v":"meta.k8s.io/v1","rv":1}').toString('base64url')],
    ['a list', Buffer.from('[]').toString('base64url')],
  ])('are refused with %s', async (_, token) => {
    const status = await refusal(() => decodeContinue(token, 'pods/'))
    expect(status.code).toBe(400)
    expect(status.message).toMatch(/^invalid continue token: continue key is not valid/)
  })
})

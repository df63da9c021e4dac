import { beforeEach, describe, expect, it } from 'vitest'
import { kinds, namespaces, pods } from '../api/kinds.ts'
import type { Pod } from '../api/types.ts'
import { realClock } from '../base/clock.ts'
import type { Client } from '../client/client.ts'
import { createInProcessClient } from '../cluster/in-process-client.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import type { Informer } from './informer.ts'
import { SharedInformers } from './shared-informers.ts'

const pod = (name: string, owner?: string): Pod => ({
  metadata: {
    name,
    namespace: 'default',
    labels: { app: 'web' },
    ...(owner && {
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: `uid-of-${owner}`, controller: true }],
    }),
  },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
})

/** Objects of lists and watches are copies, as over a connection. */
const withOwnObjects = (client: Client): Client => ({
  ...client,
  list: async (resource, request) => structuredClone(await client.list(resource, request)),
  watch: (resource, request, handlers) =>
    client.watch(resource, request, { ...handlers, onEvents: (events) => handlers.onEvents(structuredClone(events)) }),
})

describe('SharedInformers', () => {
  let client: Client
  let informer: Informer<Pod>
  const copyOf = (name: string) => informer.get(`default/${name}`)!

  beforeEach(async () => {
    client = createInProcessClient({ rest: createRest({ store: openMemoryStore() }), kinds, name: 'tester' })
    await client.create(namespaces, undefined, { metadata: { name: 'default' } })
    const informers = new SharedInformers({ client: withOwnObjects(client), clock: realClock, ownerOfObjects: 'informer' })
    informer = informers.get(pods) as Informer<Pod>
    informers.start()
    await informers.synced
    return () => informers.stop()
  })

  it.each([
    ['of one owner', 'web'],
    ['without an owner', undefined],
  ])('shares equal parts of pods %s', async (_, owner) => {
    for (const name of ['a', 'b']) await client.create(pods, 'default', pod(name, owner))
    expect(copyOf('b').spec).toBe(copyOf('a').spec)
    expect(copyOf('b').metadata.ownerReferences).toBe(copyOf('a').metadata.ownerReferences)
    expect(copyOf('b').metadata.name).toBe('b')
  })

  it('finds pods by the node that they are assigned to', async () => {
    const found = (node: string) => informer.byIndex('node', node).map(({ metadata }) => metadata.name)
    await client.create(pods, 'default', { ...pod('a'), spec: { ...pod('a').spec!, nodeName: 'n1' } })
    const { metadata } = await client.create(pods, 'default', pod('b', 'web'))
    expect(found('n1')).toEqual(['a'])
    const target = { apiVersion: 'v1', kind: 'Node', name: 'n1' }
    const ref = { namespace: 'default', name: metadata.name }
    await client.createSubresource(pods, ref, 'binding', { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'b' }, target })
    expect(found('n1')).toEqual(['a', 'b'])
    await client.delete(pods, { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 0 })
    expect(found('n1')).toEqual(['b'])
    expect(found('')).toEqual([])
  })

  it('shares equal parts of two versions of an object', async () => {
    for (const name of ['a', 'b']) await client.create(pods, 'default', pod(name, 'web'))
    const { spec } = copyOf('b')
    const conditions = [{ type: 'Ready', status: 'True' as const, lastTransitionTime: '2026-01-02T03:04:05Z' }]
    for (const name of ['a', 'b'])
      await client.patch(pods, { namespace: 'default', name }, 'merge', { status: { conditions } }, { subresource: 'status' })
    expect(copyOf('b').spec).toBe(spec)
    expect(copyOf('b').status?.conditions).toMatchObject(conditions)
  })

  it('does not share different parts, and changes no object of the server', async () => {
    for (const [name, owner] of [
      ['a', 'web'],
      ['b', 'shop'],
    ] as const)
      await client.create(pods, 'default', pod(name, owner))
    expect(copyOf('a').metadata.ownerReferences![0]!.name).toBe('web')
    expect(copyOf('b').metadata.ownerReferences![0]!.name).toBe('shop')
    expect(copyOf('b').metadata.managedFields).toBeUndefined()
    expect((await client.get(pods, { namespace: 'default', name: 'b' })).metadata.managedFields).toHaveLength(1)
  })

  it('finds an object under its current owner after any change', async () => {
    const namesOf = (index: string, value: string) => informer.byIndex(index, value).map(({ metadata }) => metadata.name)
    await client.create(pods, 'default', pod('a', undefined))
    await client.patch(pods, { namespace: 'default', name: 'a' }, 'merge', { metadata: { labels: { seen: 'yes' } } })
    expect(namesOf('orphan', 'default')).toEqual(['a'])
    const { ownerReferences } = pod('a', 'web').metadata!
    await client.patch(pods, { namespace: 'default', name: 'a' }, 'merge', { metadata: { ownerReferences } })
    const { uid } = ownerReferences![0]!
    expect([namesOf('owner', uid), namesOf('orphan', 'default'), namesOf('namespace', 'default')]).toEqual([['a'], [], ['a']])
    await client.patch(pods, { namespace: 'default', name: 'a' }, 'merge', { metadata: { ownerReferences: null } })
    expect([namesOf('owner', uid), namesOf('orphan', 'default')]).toEqual([[], ['a']])
  })

  it('finds the newest version of an object, and only that of an object that replaced it', async () => {
    const found = () => informer.byIndex('owner', 'uid-of-web').map(({ metadata }) => metadata.labels?.['version'])
    const ref = { namespace: 'default', name: 'a' }
    await client.create(pods, 'default', pod('a', 'web'))
    await client.patch(pods, ref, 'merge', { metadata: { labels: { version: '2' } } })
    expect(found()).toEqual(['2'])
    await client.delete(pods, ref, { gracePeriodSeconds: 0 })
    expect(found()).toEqual([])
    await client.create(pods, 'default', pod('a', 'web'))
    expect(found()).toEqual([undefined])
  })
})

describe('SharedInformers that keep the objects of the server', () => {
  it('hold the very objects', async () => {
    const client = createInProcessClient({ rest: createRest({ store: openMemoryStore() }), kinds, name: 'tester' })
    await client.create(namespaces, undefined, { metadata: { name: 'default' } })
    const informers = new SharedInformers({ client, clock: realClock, ownerOfObjects: 'server' })
    const informer = informers.get(pods) as Informer<Pod>
    informers.start()
    await informers.synced
    await client.create(pods, 'default', pod('a'))
    expect(informer.get('default/a')).toBe(await client.get(pods, { namespace: 'default', name: 'a' }))
    informers.stop()
  })
})

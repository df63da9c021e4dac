import { describe, expect, it } from 'vitest'
import { configMaps, namespaces, pods } from '../api/kinds.ts'
import { seededRandom } from '../base/random.ts'
import type { Client, WatchEvent } from '../client/client.ts'
import { openControllerBench } from '../cluster/testing/controller-bench.ts'
import { Consistency, isObserved, isOlderVersion, observationTimeoutMs } from './consistency.ts'
import { SharedInformers } from './shared-informers.ts'

/** A cache whose observations the test controls. */
async function openLateCache(wrap: (client: Client) => Client = (client) => client) {
  const bench = await openControllerBench({ start: () => [] })
  const waiting: (() => void)[] = []
  const late: Client = {
    ...bench.client,
    watch: (resource, request, handlers) =>
      bench.client.watch(resource, request, {
        ...handlers,
        onEvents: (events: readonly WatchEvent<never>[]) => {
          for (const event of events) waiting.push(() => handlers.onEvents([event]))
        },
      }),
  }
  const informers = new SharedInformers({ client: late, clock: bench.clock })
  informers.get(configMaps)
  informers.start()
  await informers.synced
  const current: string[] = []
  const givenUp: string[] = []
  const consistency = new Consistency({
    client: wrap(bench.client),
    clock: bench.clock,
    informers,
    onCurrent: (key) => current.push(key),
    onGivenUp: (key, what) => givenUp.push(`${key}: ${what}`),
  })
  const deliver = async (count = Number.POSITIVE_INFINITY) => {
    await bench.settle()
    for (const run of waiting.splice(0, count)) run()
  }
  return { ...bench, informers, consistency, current, givenUp, deliver, client: consistency.clientFor('a') }
}

const map = (name: string, data: Readonly<Record<string, string>> = {}) => ({ metadata: { name, namespace: 'default' }, data })
const ref = { namespace: 'default', name: 'one' }

describe('Consistency', () => {
  it.each([
    ['a create', (client: Client) => client.create(configMaps, 'default', map('two'))],
    ['an update', (client: Client) => client.update(configMaps, map('one', { x: '1' }))],
    ['a patch', (client: Client) => client.patch(configMaps, ref, 'merge', { data: { x: '1' } })],
    ['a delete', (client: Client) => client.delete(configMaps, ref)],
  ])('waits until the cache has observed %s', async (_name, write) => {
    const { client, consistency, current, deliver } = await openLateCache()
    await client.create(configMaps, 'default', map('one'))
    await deliver()
    expect(consistency.isCurrent('a')).toBe(true)
    current.length = 0
    await write(client)
    expect(consistency.isCurrent('a')).toBe(false)
    expect(consistency.isCurrent('b')).toBe(true)
    await deliver()
    expect(consistency.isCurrent('a')).toBe(true)
    expect(current).toEqual(['a'])
  })

  it('reports a key as current once, after the last of its writes', async () => {
    const { client, consistency, current, deliver } = await openLateCache()
    for (const name of ['one', 'two', 'three']) await client.create(configMaps, 'default', map(name))
    await deliver(2)
    expect(current).toEqual([])
    expect(consistency.isCurrent('a')).toBe(false)
    await deliver()
    expect(current).toEqual(['a'])
  })

  it('does not wait for a write that changed nothing', async () => {
    const { client, consistency, deliver } = await openLateCache()
    const stored = await client.create(configMaps, 'default', map('one', { x: '1' }))
    await deliver()
    await client.update(configMaps, stored)
    await client.patch(configMaps, ref, 'merge', { data: { x: '1' } })
    expect(consistency.isCurrent('a')).toBe(true)
  })

  it('does not wait for kinds that no informer watches, nor for rejected writes', async () => {
    const { client, consistency } = await openLateCache()
    await client.create(namespaces, undefined, { metadata: { name: 'other' } })
    await expect(client.update(configMaps, map('missing', { x: '1' }))).rejects.toThrow('not found')
    await expect(client.delete(pods, { namespace: 'default', name: 'missing' })).rejects.toThrow('not found')
    expect(consistency.isCurrent('a')).toBe(true)
  })

  it('observes an object that was created and deleted before the cache had it', async () => {
    const { client, consistency, deliver } = await openLateCache()
    await client.create(configMaps, 'default', map('one'))
    await client.delete(configMaps, ref)
    expect(consistency.isCurrent('a')).toBe(false)
    await deliver()
    expect(consistency.isCurrent('a')).toBe(true)
  })

  it('gives up a write that is not observed within five minutes, and reports it', async () => {
    const { client, consistency, givenUp, pass } = await openLateCache()
    const { metadata } = await client.create(configMaps, 'default', map('one'))
    expect(consistency.waitMs('a')).toBe(observationTimeoutMs)
    pass(observationTimeoutMs)
    expect(consistency.isCurrent('a')).toBe(true)
    expect(givenUp).toEqual([`a: ConfigMap default/one at version ${metadata.resourceVersion}`])
  })

  it('forgets the writes of a deleted object', async () => {
    const { client, consistency, current, deliver } = await openLateCache()
    await client.create(configMaps, 'default', map('one'))
    consistency.forget('a')
    expect(consistency.isCurrent('a')).toBe(true)
    await deliver()
    expect(current).toEqual([])
  })

  describe('a lost answer', () => {
    const losing = (isCarriedOut: boolean) => (client: Client) => ({
      ...client,
      create: (async (...request: Parameters<Client['create']>) => {
        if (isCarriedOut) await client.create(...request)
        throw new Error('connection reset')
      }) as Client['create'],
    })

    it.each([
      ['of a named create that was carried out', true, { name: 'one' }],
      ['of a create with a generated name that was carried out', true, { generateName: 'one-', labels: { app: 'x' } }],
    ])('%s is found, and waited for', async (_name, isCarriedOut, metadata) => {
      const { client, consistency, deliver } = await openLateCache(losing(isCarriedOut))
      await expect(client.create(configMaps, 'default', { metadata })).rejects.toThrow('connection reset')
      expect(consistency.isCurrent('a')).toBe(false)
      await consistency.findLostAnswers('a')
      expect(consistency.isCurrent('a')).toBe(false)
      await deliver()
      expect(consistency.isCurrent('a')).toBe(true)
    })

    it('of a create that was not carried out is not waited for', async () => {
      const { client, consistency } = await openLateCache(losing(false))
      await expect(client.create(configMaps, 'default', map('one'))).rejects.toThrow('connection reset')
      await consistency.findLostAnswers('a')
      expect(consistency.isCurrent('a')).toBe(true)
    })

    it('keeps the key waiting while the server does not answer', async () => {
      const { client, consistency } = await openLateCache((one) => ({
        ...losing(true)(one),
        get: () => Promise.reject(new Error('connection refused')),
      }))
      await expect(client.create(configMaps, 'default', map('one'))).rejects.toThrow('connection reset')
      await expect(consistency.findLostAnswers('a')).rejects.toThrow('connection refused')
      expect(consistency.isCurrent('a')).toBe(false)
    })
  })

  it('is current exactly when the cache has every write, for random histories (100 seeds)', async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = seededRandom(seed)
      const { consistency, informers, deliver } = await openLateCache()
      const last = new Map<string, string>()
      for (let step = 0; step < 30; step++) {
        const key = `key-${Math.floor(random.next() * 3)}`
        const name = `map-${Math.floor(random.next() * 4)}`
        const client = consistency.clientFor(key)
        const at = { namespace: 'default', name }
        try {
          if (random.next() < 0.2) await client.delete(configMaps, at)
          else if (random.next() < 0.5) last.set(key, (await client.create(configMaps, 'default', map(name))).metadata.resourceVersion)
          else last.set(key, (await client.patch(configMaps, at, 'merge', { data: { step: String(step) } })).metadata.resourceVersion)
        } catch {
          // It exists already, or does not: neither changes anything.
        }
        if (random.next() < 0.5) await deliver(Math.floor(random.next() * 4))
        for (const [one, version] of last)
          if (consistency.isCurrent(one)) expect(isObserved(version, informers.get(configMaps).observedVersion), `seed ${seed}`).toBe(true)
      }
      await deliver()
      for (const key of ['key-0', 'key-1', 'key-2']) expect(consistency.isCurrent(key), `seed ${seed}, ${key}`).toBe(true)
    }
  })
})

describe('resource versions', () => {
  it.each([
    ['equal', '12', '12', true],
    ['older', '9', '12', true],
    ['newer', '13', '12', false],
    ['longer', '100', '99', false],
    ['beyond what a number holds', '9007199254740993', '9007199254740992', false],
    ['not a number', 'abc', '12', false],
    ['before the first list', '1', '', false],
  ])('%s', (_name, written, observed, expected) => {
    expect(isObserved(written, observed)).toBe(expected)
  })

  it('orders older before newer', () => {
    expect(['10', '9', '100'].sort((a, b) => (isOlderVersion(a, b) ? -1 : 1))).toEqual(['9', '10', '100'])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configMaps } from '../../api/kinds.ts'
import { realClock, sleep } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import { createHttpClient } from '../../client/http-client.ts'
import { readKubeconfig } from '../../client/kubeconfig.ts'
import type { TestServer } from './server-api.ts'
import { startServer } from './test-server.ts'

const until = async (condition: () => boolean) => {
  for (let i = 0; i < 500 && !condition(); i++) await sleep(realClock, 10)
  expect(condition()).toBe(true)
}

describe('faults of one client over HTTP', () => {
  let server: TestServer
  let operator: Client & { close(): void }
  let other: Client & { close(): void }
  beforeAll(async () => {
    server = await startServer({ nodes: 1 })
    const connection = await readKubeconfig({ paths: [server.kubeconfig], clock: realClock })
    operator = createHttpClient({ connection, name: 'operator/v1' })
    other = createHttpClient({ connection, name: 'other' })
  })
  afterAll(async () => {
    operator.close()
    other.close()
    await server.stop()
  })

  const watch = async (client: Client) => {
    const { resourceVersion } = await client.list(configMaps, { namespace: 'default' })
    const seen: string[] = []
    const close = client.watch(
      configMaps,
      { namespace: 'default', resourceVersion },
      {
        onEvents: (events) => seen.push(...events.map(({ type, object }) => `${type} ${object.metadata.name}`)),
        onEnd: (error) => seen.push(`END ${(error as { status?: { code?: number } } | undefined)?.status?.code}`),
      },
    )
    // The watch is open when it shows a change.
    const name = `opened-${seen.length}-${client === operator ? 'operator' : 'other'}`
    await server.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
    await until(() => seen.length > 0)
    await server.delete('configmap', name)
    await until(() => seen.length > 1)
    seen.length = 0
    return { seen, close }
  }
  const put = (name: string, value = '1') => server.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } })

  it('holds its events back, and not those of others; lists from a cache show the state before', async () => {
    const [own, others] = [await watch(operator), await watch(other)]
    const fault = await server.fault({ target: 'client', agents: ['operator'], action: 'rewind', kinds: ['cm'] })
    await put('held')
    await until(() => others.seen.includes('ADDED held'))
    const namesOf = async (client: Client, query: object) =>
      (await client.list(configMaps, { namespace: 'default', ...query })).items.map(({ metadata }) => metadata.name)
    expect(await namesOf(operator, { resourceVersion: '0' })).not.toContain('held')
    expect(await namesOf(operator, {})).toContain('held')
    expect(await namesOf(other, { resourceVersion: '0' })).toContain('held')
    expect(own.seen).not.toContain('ADDED held')
    await server.endFaults(fault!.id)
    await until(() => own.seen.includes('ADDED held'))
    own.close()
    others.close()
  })

  it('loses the response to a write that happened, once', async () => {
    await server.fault({ target: 'client', agents: ['operator'], action: 'lose', verbs: ['create'], times: 1 })
    const create = (name: string) => operator.create(configMaps, 'default', { metadata: { name } })
    await expect(create('lost')).rejects.toThrow()
    expect(await server.get('configmap', 'lost')).toBeDefined()
    await create('found')
    expect(server.faults()).toEqual([])
  })

  it('cuts a request before it is handled, and refuses', async () => {
    await server.fault({ target: 'client', agents: ['operator'], action: 'cut', verbs: ['delete'], times: 1 })
    await expect(operator.delete(configMaps, { namespace: 'default', name: 'found' })).rejects.toThrow()
    expect(await server.get('configmap', 'found')).toBeDefined()
    await server.fault({ target: 'client', action: 'refuse', code: 409, verbs: ['delete'], names: ['found'], times: 1 })
    await expect(operator.delete(configMaps, { namespace: 'default', name: 'found' })).rejects.toThrow('has been modified')
  })

  it('ends its watches with 410', async () => {
    const own = await watch(operator)
    await server.fault({ target: 'client', agents: ['operator'], action: 'expire' })
    await until(() => own.seen.includes('END 410'))
    expect(server.faults()).toEqual([])
  })

  it('affects clients in the process', async () => {
    const fault = await server.fault({
      target: 'client',
      agents: ['replicaset-controller'],
      action: 'refuse',
      verbs: ['create'],
      kinds: ['pods'],
    })
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template }
    await server.apply({ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web' }, spec })
    const isRefused = async () => (await server.get('replicaset', 'web'))?.status?.conditions?.[0]?.type === 'ReplicaFailure'
    for (let i = 0; i < 500 && !(await isRefused()); i++) await sleep(realClock, 10)
    expect(await isRefused()).toBe(true)
    expect(await server.list('pods')).toEqual([])
    await server.endFaults(fault!.id)
  })

  for (const [name, order, message] of [
    ['a code without a refusal', { action: 'hold', code: 409 }, 'only the action refuse has a code'],
    ['a trigger that cannot be read', { action: 'hold', after: 'statefulsets' }, 'cannot read after "statefulsets"'],
    ['an unknown code', { action: 'refuse', code: 418 }, 'code must be 409, 429, 500, 503 or 504'],
    ['an unknown action', { action: 'eat' }, 'a fault of target client has no action "eat"'],
  ] as const)
    it(`refuses ${name}`, () => expect(server.fault({ target: 'client', ...order } as never)).rejects.toThrow(message))
})

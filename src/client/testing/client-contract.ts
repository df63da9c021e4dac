// The contract of the client, for every transport. The server has the namespace `default`.
import { afterEach, describe, expect, it } from 'vitest'
import { configMaps, deployments, namespaces, nodes, pods } from '../../api/kinds.ts'
import { isStatusError, type StatusError } from '../../api/machinery/status-error.ts'
import type { ConfigMap, Deployment, KubernetesObject, Namespace, Node, Pod, Status, Stored } from '../../api/types.ts'
import type { Client, WatchEvent } from '../client.ts'

interface ClientUnderTest {
  readonly client: Client
  /** Compacts the history, so that no watch can start there. */
  compact(): void
  close(): Promise<void>
}

export const configMap = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}): ConfigMap => ({
  metadata: { name, labels },
  data,
})

const podNamed = (name: string) => ({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'x' }] } }) as Pod

async function refusalOf(request: Promise<unknown>): Promise<Status> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (isStatusError(error)) return error.status
  throw new Error(`Expected a refusal, got ${String(error)}`)
}

/** Collects the events of a watch, and waits for them. */
class Listener<T extends KubernetesObject> {
  readonly seen: string[] = []
  readonly objects: Stored<T>[] = []
  isOver = false
  error: Error | undefined
  #onChange: () => void = () => {}

  onEvents = (events: readonly WatchEvent<Stored<T>>[]) => {
    for (const { type, object } of events) {
      if (type === 'BOOKMARK') continue
      this.seen.push(`${type} ${object.metadata.name}`)
      this.objects.push(object)
    }
    this.#onChange()
  }

  onEnd = (error?: Error) => {
    this.isOver = true
    this.error = error
    this.#onChange()
  }

  async until(isDone: () => boolean): Promise<void> {
    while (!isDone())
      await new Promise<void>((resolve) => {
        this.#onChange = resolve
      })
  }
}

export function describeClient(transport: string, open: () => Promise<ClientUnderTest>): void {
  const opened: ClientUnderTest[] = []
  const openClient = async (): Promise<Client> => {
    const one = await open()
    opened.push(one)
    return one.client
  }
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })
  const inDefault = (name: string) => ({ namespace: 'default', name })

  describe(`${transport}: objects`, () => {
    it('are returned as they were stored, with kind and apiVersion', async () => {
      const client = await openClient()
      const created = await client.create(configMaps, 'default', configMap('a', { key: 'ünïcödé ✓' }))
      expect(created).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { key: 'ünïcödé ✓' } })
      expect(created.metadata).toMatchObject({ name: 'a', namespace: 'default', uid: expect.any(String) })
      expect(await client.get(configMaps, inDefault('a'))).toEqual(created)
      const { items } = await client.list(configMaps, { namespace: 'default' })
      expect(items).toEqual([created])
    })

    it('get generated names', async () => {
      const client = await openClient()
      const { metadata } = await client.create(configMaps, 'default', { metadata: { generateName: 'g-' } })
      expect(metadata.name).toMatch(/^g-.{5}$/)
    })

    it('may have no namespace', async () => {
      const client = await openClient()
      await client.create(nodes, undefined, { metadata: { name: 'n' } } as Node)
      expect((await client.get(nodes, { name: 'n' })).metadata.namespace).toBeUndefined()
      expect((await client.list(nodes)).items.map(({ metadata }) => metadata.name)).toEqual(['n'])
    })

    it('are written under the name of the client or another one', async () => {
      const client = await openClient()
      const first = await client.create(configMaps, 'default', configMap('a', { a: '1' }))
      expect(first.metadata.managedFields?.[0]?.manager).toBe('contract')
      const second = await client.update(configMaps, { ...first, data: { a: '1', b: '2' } }, { fieldManager: 'other' })
      expect(second.metadata.managedFields?.map(({ manager }) => manager).sort()).toEqual(['contract', 'other'])
    })

    it('are not stored by a dry run', async () => {
      const client = await openClient()
      await client.create(configMaps, 'default', configMap('a'), { dryRun: true })
      expect((await refusalOf(client.get(configMaps, inDefault('a')))).reason).toBe('NotFound')
      await client.create(configMaps, 'default', configMap('a'))
      await client.delete(configMaps, inDefault('a'), { dryRun: true })
      await client.get(configMaps, inDefault('a'))
    })
  })

  describe(`${transport}: errors`, () => {
    it('are Statuses', async () => {
      const client = await openClient()
      await client.create(configMaps, 'default', configMap('a'))
      expect(await refusalOf(client.create(configMaps, 'default', configMap('a')))).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'configmaps "a" already exists',
        reason: 'AlreadyExists',
        details: { name: 'a', kind: 'configmaps' },
        code: 409,
      })
    })

    it('name every cause', async () => {
      const client = await openClient()
      const { reason, details } = await refusalOf(client.create(configMaps, 'default', configMap('Not A Name')))
      expect(reason).toBe('Invalid')
      expect(details?.causes).toMatchObject([{ field: 'metadata.name' }])
    })

    it('reject a write to an old version', async () => {
      const client = await openClient()
      const first = await client.create(configMaps, 'default', configMap('a'))
      await client.update(configMaps, { ...first, data: { a: '1' } })
      expect((await refusalOf(client.update(configMaps, { ...first, data: { a: '2' } }))).reason).toBe('Conflict')
    })
  })

  describe(`${transport}: lists`, () => {
    it('are selected by labels, by fields and by namespace', async () => {
      const client = await openClient()
      await client.create(namespaces, undefined, { metadata: { name: 'other' } } as Namespace)
      await client.create(configMaps, 'default', configMap('a', {}, { tier: 'x' }))
      await client.create(configMaps, 'default', configMap('b', {}, { tier: 'y' }))
      await client.create(configMaps, 'other', configMap('a', {}, { tier: 'x' }))
      const names = async (request: Parameters<Client['list']>[1]) =>
        (await client.list(configMaps, request)).items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
      expect(await names({ labelSelector: 'tier in (x)' })).toEqual(['default/a', 'other/a'])
      expect(await names({ fieldSelector: 'metadata.name=b' })).toEqual(['default/b'])
      expect(await names({ namespace: 'other' })).toEqual(['other/a'])
      expect(await names({})).toEqual(['default/a', 'default/b', 'other/a'])
    })

    it('have consistent pages', async () => {
      const client = await openClient()
      for (const name of ['a', 'b', 'c']) await client.create(configMaps, 'default', configMap(name))
      const first = await client.list(configMaps, { namespace: 'default', limit: 2 })
      expect(first.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
      await client.create(configMaps, 'default', configMap('d'))
      const second = await client.list(configMaps, { namespace: 'default', limit: 2, continue: first.continue! })
      expect(second.items.map(({ metadata }) => metadata.name)).toEqual(['c'])
      expect(second.continue).toBeUndefined()
      expect(second.resourceVersion).toBe(first.resourceVersion)
    })
  })

  describe(`${transport}: changes`, () => {
    it('of the status leave the rest alone', async () => {
      const client = await openClient()
      const pod = await client.create(pods, 'default', podNamed('p'))
      const status = { ...pod.status, phase: 'Running' }
      const changed = await client.updateStatus(pods, { ...pod, metadata: { ...pod.metadata, labels: { a: 'b' } }, status } as Stored<Pod>)
      expect(changed.status?.phase).toBe('Running')
      await client.update(pods, { ...changed, status: { phase: 'Failed' }, metadata: { ...changed.metadata, labels: { c: 'd' } } })
      expect((await client.get(pods, inDefault('p'))).status?.phase).toBe('Running')
    })

    it('may be patches of every kind', async () => {
      const client = await openClient()
      await client.create(configMaps, 'default', configMap('a', { one: '1' }))
      const patch = (type: 'json' | 'merge' | 'strategic', body: unknown) => client.patch(configMaps, inDefault('a'), type, body)
      await patch('merge', { data: { two: '2' } })
      await patch('json', [{ op: 'add', path: '/data/three', value: '3' }])
      const { data } = await patch('strategic', { data: { one: null } })
      expect(data).toEqual({ two: '2', three: '3' })
    })

    it('may be applied, with conflicts between managers', async () => {
      const client = await openClient()
      const wanted = (value: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { key: value } })
      await client.patch(configMaps, inDefault('a'), 'apply', wanted('1'), { fieldManager: 'one' })
      const fight = client.patch(configMaps, inDefault('a'), 'apply', wanted('2'), { fieldManager: 'two' })
      expect((await refusalOf(fight)).reason).toBe('Conflict')
      const won = await client.patch(configMaps, inDefault('a'), 'apply', wanted('2'), { fieldManager: 'two', force: true })
      expect(won.data).toEqual({ key: '2' })
    })

    it('may go to a subresource', async () => {
      const client = await openClient()
      const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'x' }] } }
      const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template }
      await client.create(deployments, 'default', { metadata: { name: 'd' }, spec } as unknown as Deployment)
      await client.patch(deployments, inDefault('d'), 'merge', { spec: { replicas: 4 } }, { subresource: 'scale' })
      expect((await client.get(deployments, inDefault('d'))).spec?.replicas).toBe(4)
      const space = await client.create(namespaces, undefined, { metadata: { name: 's' } } as Namespace)
      await client.updateSubresource(namespaces, 'finalize', { ...space, spec: { finalizers: [] } } as Stored<Namespace>)
      expect((await client.get(namespaces, { name: 's' })).spec?.finalizers ?? []).toEqual([])
    })

    it('may be made by subresources of pods', async () => {
      const client = await openClient()
      await client.create(pods, 'default', podNamed('p'))
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } }
      expect(await client.createSubresource(pods, inDefault('p'), 'binding', binding)).toMatchObject({ kind: 'Status', status: 'Success' })
      expect((await client.get(pods, inDefault('p'))).spec?.nodeName).toBe('n')
      expect((await refusalOf(client.createSubresource(pods, inDefault('p'), 'binding', binding))).reason).toBe('Conflict')
    })
  })

  describe(`${transport}: deletions`, () => {
    it('respect their preconditions', async () => {
      const client = await openClient()
      const { metadata } = await client.create(configMaps, 'default', configMap('a'))
      expect((await refusalOf(client.delete(configMaps, inDefault('a'), { preconditions: { uid: 'other' } }))).reason).toBe('Conflict')
      await client.delete(configMaps, inDefault('a'), { preconditions: { uid: metadata.uid } })
      expect((await refusalOf(client.delete(configMaps, inDefault('a')))).reason).toBe('NotFound')
    })

    it('respect the grace period of pods', async () => {
      const client = await openClient()
      await client.create(pods, 'default', { ...podNamed('p'), spec: { ...podNamed('p').spec!, nodeName: 'n' } })
      await client.delete(pods, inDefault('p'), { gracePeriodSeconds: 7 })
      expect((await client.get(pods, inDefault('p'))).metadata.deletionGracePeriodSeconds).toBe(7)
      await client.delete(pods, inDefault('p'), { gracePeriodSeconds: 0 })
      expect((await refusalOf(client.get(pods, inDefault('p')))).reason).toBe('NotFound')
    })

    it('select from a collection', async () => {
      const client = await openClient()
      for (const [name, tier] of [
        ['a', 'x'],
        ['b', 'y'],
        ['c', 'x'],
      ] as const)
        await client.create(configMaps, 'default', configMap(name, {}, { tier }))
      await client.deleteCollection(configMaps, { namespace: 'default', labelSelector: 'tier=x' })
      expect((await client.list(configMaps, { namespace: 'default' })).items.map(({ metadata }) => metadata.name)).toEqual(['b'])
    })

    it('wait for finalizers', async () => {
      const client = await openClient()
      const held = { metadata: { name: 'a', finalizers: ['example.com/hold'] } }
      await client.create(configMaps, 'default', held)
      await client.delete(configMaps, inDefault('a'), { propagationPolicy: 'Background' })
      expect((await client.get(configMaps, inDefault('a'))).metadata.deletionTimestamp).toBeDefined()
    })
  })

  describe(`${transport}: watches`, () => {
    const watch = (client: Client, resourceVersion: string, more: object = {}) => {
      const listener = new Listener<ConfigMap>()
      const close = client.watch(configMaps, { namespace: 'default', resourceVersion, ...more }, listener)
      return { listener, close }
    }

    it('report every change after a version, in order', async () => {
      const client = await openClient()
      const { metadata } = await client.create(configMaps, 'default', configMap('before'))
      const after = await client.create(configMaps, 'default', configMap('a', { n: '0' }))
      const { listener, close } = watch(client, metadata.resourceVersion)
      const changed = await client.update(configMaps, { ...after, data: { n: '1' } })
      await client.delete(configMaps, inDefault('a'))
      await listener.until(() => listener.seen.length === 3)
      expect(listener.seen).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a'])
      expect(listener.objects[1]).toEqual(changed)
      expect(Number(listener.objects[2]!.metadata.resourceVersion)).toBeGreaterThan(Number(changed.metadata.resourceVersion))
      close()
    })

    it('select objects', async () => {
      const client = await openClient()
      const { resourceVersion } = await client.list(configMaps, {})
      const { listener, close } = watch(client, resourceVersion, { labelSelector: 'tier=x' })
      await client.create(configMaps, 'default', configMap('no', {}, { tier: 'y' }))
      const made = await client.create(configMaps, 'default', configMap('yes', {}, { tier: 'x' }))
      await client.update(configMaps, { ...made, metadata: { ...made.metadata, labels: { tier: 'y' } } })
      await listener.until(() => listener.seen.length === 2)
      expect(listener.seen).toEqual(['ADDED yes', 'DELETED yes'])
      close()
    })

    it('deliver many and large changes completely', async () => {
      const client = await openClient()
      const { resourceVersion } = await client.list(configMaps, {})
      const { listener, close } = watch(client, resourceVersion)
      const value = 'ß✓'.repeat(20_000)
      const wanted = Array.from({ length: 60 }, (_, i) => `m${i}`)
      await Promise.all(wanted.map((name) => client.create(configMaps, 'default', configMap(name, { value }))))
      await listener.until(() => listener.seen.length === wanted.length)
      expect(listener.objects.map(({ metadata }) => metadata.name).sort()).toEqual([...wanted].sort())
      expect(listener.objects.every(({ data }) => data?.['value'] === value)).toBe(true)
      const versions = listener.objects.map(({ metadata }) => Number(metadata.resourceVersion))
      expect(versions).toEqual([...versions].sort((a, b) => a - b))
      close()
    })

    it('report nothing after they were closed', async () => {
      const client = await openClient()
      const { resourceVersion } = await client.list(configMaps, {})
      const { listener, close } = watch(client, resourceVersion)
      await client.create(configMaps, 'default', configMap('a'))
      await listener.until(() => listener.seen.length === 1)
      close()
      await client.create(configMaps, 'default', configMap('b'))
      const other = watch(client, resourceVersion)
      await other.listener.until(() => other.listener.seen.length === 2)
      other.close()
      expect(listener.seen).toEqual(['ADDED a'])
      expect(listener.isOver).toBe(false)
    })

    it('end with 410 Gone when their start was compacted', async () => {
      const client = await openClient()
      const { metadata } = await client.create(configMaps, 'default', configMap('a'))
      await client.create(configMaps, 'default', configMap('b'))
      await client.create(configMaps, 'default', configMap('c'))
      opened.at(-1)!.compact()
      const { listener } = watch(client, metadata.resourceVersion)
      await listener.until(() => listener.isOver)
      expect(isStatusError(listener.error, 'Expired') || isStatusError(listener.error, 'Gone')).toBe(true)
      expect((listener.error as StatusError).code).toBe(410)
      expect(listener.seen).toEqual([])
    })
  })
}

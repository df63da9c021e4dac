// The official client library of JavaScript against a running cluster.
import type { ApiException, KubeConfig, V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { configMap, configMapsPath as path, soon } from './config-maps.ts'
import { type RunningCluster, startCluster } from './running-cluster.ts'

let cluster: RunningCluster
beforeAll(async () => {
  cluster = await startCluster()
}, 60_000)
afterAll(() => cluster?.stop())

describe('@kubernetes/client-node', () => {
  let library: typeof import('@kubernetes/client-node')
  let config: KubeConfig
  beforeAll(async () => {
    library = await import('@kubernetes/client-node')
    config = new library.KubeConfig()
    config.loadFromFile(cluster.kubeconfig)
  }, 60_000)

  const refusal = async (call: Promise<unknown>): Promise<{ code: number; reason: string; message: string }> => {
    const error = await call.then(
      () => new Error('it was not refused'),
      (error: ApiException<string>) => error,
    )
    expect(error).toBeInstanceOf(library.ApiException)
    const { code, body } = error as ApiException<string>
    const { reason, message } = typeof body === 'string' ? JSON.parse(body) : (body as { reason: string; message: string })
    return { code, reason, message }
  }

  it('creates, reads, lists, replaces, patches and deletes', async () => {
    const core = config.makeApiClient(library.CoreV1Api)
    const made = await core.createNamespacedConfigMap({ namespace: 'default', body: configMap('library', { a: '1' }, { set: 'library' }) })
    expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date)
    expect(await core.readNamespacedConfigMap({ namespace: 'default', name: 'library' })).toEqual(made)
    const list = await core.listNamespacedConfigMap({ namespace: 'default', labelSelector: 'set=library' })
    expect(list.items.map(({ metadata }) => metadata?.name)).toEqual(['library'])
    const replaced = await core.replaceNamespacedConfigMap({ namespace: 'default', name: 'library', body: { ...made, data: { a: '2' } } })
    expect(replaced.data).toEqual({ a: '2' })
    const patched = await core.patchNamespacedConfigMap(
      { namespace: 'default', name: 'library', body: { data: { b: '3' } } },
      library.setHeaderOptions('Content-Type', library.PatchStrategy.MergePatch),
    )
    expect(patched.data).toEqual({ a: '2', b: '3' })
    expect((await core.deleteNamespacedConfigMap({ namespace: 'default', name: 'library' })).status).toBe('Success')
  })

  it('works with kinds found by discovery', async () => {
    const objects = library.KubernetesObjectApi.makeApiClient(config)
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'discovered', namespace: 'default' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'x' } },
        template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    }
    expect((await objects.create(deployment)).metadata).toHaveProperty('uid', expect.stringMatching(/^[0-9a-f-]{36}$/))
    expect((await objects.read(deployment)).metadata?.name).toBe('discovered')
    expect((await objects.list('apps/v1', 'Deployment', 'default')).items.length).toBe(1)
    await objects.delete(deployment)
  })

  it('gets refusals as exceptions', async () => {
    const core = config.makeApiClient(library.CoreV1Api)
    const stale = await core.createNamespacedConfigMap({ namespace: 'default', body: configMap('stale') })
    await core.replaceNamespacedConfigMap({ namespace: 'default', name: 'stale', body: { ...stale, data: { a: 'b' } } })
    expect(await refusal(core.readNamespacedConfigMap({ namespace: 'default', name: 'absent' }))).toEqual({
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "absent" not found',
    })
    expect(await refusal(core.createNamespacedConfigMap({ namespace: 'default', body: configMap('stale') }))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
    })
    expect(await refusal(core.replaceNamespacedConfigMap({ namespace: 'default', name: 'stale', body: stale }))).toMatchObject({
      code: 409,
      reason: 'Conflict',
    })
    expect(await refusal(core.createNamespacedConfigMap({ namespace: 'default', body: configMap('Not A Name') }))).toMatchObject({
      code: 422,
      reason: 'Invalid',
    })
  })

  it('watches', async () => {
    const core = config.makeApiClient(library.CoreV1Api)
    const { metadata } = await core.listNamespacedConfigMap({ namespace: 'default' })
    const events: string[] = []
    let ended: unknown = 'not yet'
    const query = { resourceVersion: metadata?.resourceVersion, fieldSelector: 'metadata.name=watched' }
    const controller = await new library.Watch(config).watch(
      path,
      query,
      (type, object: V1ConfigMap) => events.push(`${type} ${object.data?.['n']}`),
      (error) => {
        ended = error
      },
    )
    await core.createNamespacedConfigMap({ namespace: 'default', body: configMap('watched', { n: '1' }) })
    await core.replaceNamespacedConfigMap({ namespace: 'default', name: 'watched', body: configMap('watched', { n: '2' }) })
    await core.deleteNamespacedConfigMap({ namespace: 'default', name: 'watched' })
    await vi.waitFor(() => expect(events).toEqual(['ADDED 1', 'MODIFIED 2', 'DELETED 2']), soon)
    controller.abort()
    await vi.waitFor(() => expect(ended).not.toBe('not yet'), soon)
  })

  it('informs, also when its watch has ended and begins again', async () => {
    const core = config.makeApiClient(library.CoreV1Api)
    const label = 'informed=yes'
    const put = (name: string, n: string) =>
      core.replaceNamespacedConfigMap({ namespace: 'default', name, body: configMap(name, { n }, { informed: 'yes' }) })
    const add = (name: string) =>
      core.createNamespacedConfigMap({ namespace: 'default', body: configMap(name, { n: '1' }, { informed: 'yes' }) })
    await add('informed-before')
    const list = () => core.listNamespacedConfigMap({ namespace: 'default', labelSelector: label })
    const informer = library.makeInformer(config, `${path}?timeoutSeconds=1`, list, label)
    const events: string[] = []
    let connected = 0
    for (const verb of ['add', 'update', 'delete'] as const)
      informer.on(verb, ({ metadata, data }: V1ConfigMap) => events.push(`${verb} ${metadata?.name} ${data?.['n']}`))
    informer.on('error', (error) => events.push(`error ${error}`))
    informer.on('connect', () => connected++)
    await informer.start()
    // One change at a time: where its watch ends in between, it lists, and would not see the order of two.
    const expected = ['add informed-before 1']
    const informs = async (event: string) => {
      expected.push(event)
      await vi.waitFor(() => expect(events).toEqual(expected), soon)
    }
    await add('informed-after')
    await informs('add informed-after 1')
    await put('informed-after', '2')
    await informs('update informed-after 2')
    const before = connected
    await vi.waitFor(() => expect(connected).toBeGreaterThan(before + 1), soon)
    await put('informed-before', '3')
    await informs('update informed-before 3')
    await core.deleteNamespacedConfigMap({ namespace: 'default', name: 'informed-after' })
    await informs('delete informed-after 2')
    expect(informer.list().map(({ metadata }) => metadata?.name)).toEqual(['informed-before'])
    await informer.stop()
  }, 120_000)
})

it('logs no errors', () => {
  expect(cluster.output()).not.toMatch(/Cannot respond|Error/)
})

import { afterEach, describe, expect, it } from 'vitest'
import { configMaps, pods, resourceQuotas, secrets, services } from '../../api/kinds.ts'
import type { ConfigMap, Pod, ResourceQuota, Secret, Service } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { nextQuotaStatus } from './plan/status.ts'
import { startResourceQuotaController } from './resource-quota-controller.ts'

let bench: ControllerBench
afterEach(() => bench?.stop())

const open = async () => {
  bench = await openControllerBench({ start: startResourceQuotaController })
}

const createQuota = (hard: object, spec: object = {}, name = 'q') =>
  bench.client.create(resourceQuotas, 'default', { metadata: { name }, spec: { hard, ...spec } } as ResourceQuota)

const createPod = (name: string, requests: object = {}, spec: object = {}) =>
  bench.client.create(pods, 'default', {
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'x', resources: { requests } }], ...spec },
  } as Pod)

const statusOf = async (name = 'q') => {
  await bench.settle()
  return (await bench.client.get(resourceQuotas, { namespace: 'default', name })).status
}

describe('startResourceQuotaController()', () => {
  it('reports the usage, and follows created and deleted objects', async () => {
    await open()
    await createPod('a', { cpu: '250m', memory: '64Mi' })
    await createQuota({ pods: '5', cpu: '1', 'requests.memory': '1Gi', 'limits.cpu': '4', 'count/deployments.apps': '3' })
    expect(await statusOf()).toEqual({
      hard: { pods: '5', cpu: '1', 'requests.memory': '1Gi', 'limits.cpu': '4', 'count/deployments.apps': '3' },
      used: { pods: '1', cpu: '250m', 'requests.memory': '64Mi', 'limits.cpu': '0', 'count/deployments.apps': '0' },
    })
    await bench.client.delete(pods, { namespace: 'default', name: 'a' }, { gracePeriodSeconds: 0 })
    expect((await statusOf())?.used).toMatchObject({ pods: '0', cpu: '0', 'requests.memory': '0' })
    expect(bench.failures).toEqual([])
  })

  it('counts objects of kinds that were not watched before', async () => {
    await open()
    await bench.client.create(configMaps, 'default', { metadata: { name: 'm' } } as ConfigMap)
    await createQuota({ configmaps: '5', 'count/secrets': '2', services: '2', 'services.nodeports': '2' })
    expect((await statusOf())?.used).toEqual({ configmaps: '1', 'count/secrets': '0', services: '0', 'services.nodeports': '0' })
    await bench.client.create(secrets, 'default', { metadata: { name: 's' } } as Secret)
    await bench.client.create(services, 'default', {
      metadata: { name: 'v' },
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    } as Service)
    expect((await statusOf())?.used).toEqual({ configmaps: '1', 'count/secrets': '1', services: '1', 'services.nodeports': '1' })
  })

  it('counts only pods in its scopes, and no terminated ones', async () => {
    await open()
    await createQuota({ pods: '5' }, { scopes: ['BestEffort'] }, 'best')
    await createQuota({ pods: '5', 'count/pods': '9' }, {}, 'all')
    await createPod('a')
    await createPod('b', { cpu: '1' })
    expect((await statusOf('best'))?.used).toEqual({ pods: '1' })
    expect((await statusOf('all'))?.used).toEqual({ pods: '2', 'count/pods': '2' })
    const [pod] = await bench.podsOf()
    await bench.report(pod!, 'failed')
    expect((await statusOf('best'))?.used).toEqual({ pods: '0' })
    expect((await statusOf('all'))?.used).toEqual({ pods: '1', 'count/pods': '2' })
  })

  it('stops counting a pod that does not terminate', async () => {
    await open()
    await createQuota({ pods: '5' })
    await createPod('a', {}, { nodeName: 'n', terminationGracePeriodSeconds: 30 })
    await bench.client.delete(pods, { namespace: 'default', name: 'a' })
    expect((await statusOf())?.used).toEqual({ pods: '1' })
    bench.pass(60_001)
    expect((await statusOf())?.used).toEqual({ pods: '0' })
  })

  it('follows a change of the limits, and removes resources without a limit', async () => {
    await open()
    await createQuota({ pods: '5', configmaps: '1' })
    await statusOf()
    await bench.client.patch(resourceQuotas, { namespace: 'default', name: 'q' }, 'merge', {
      spec: { hard: { pods: '7', configmaps: null } },
    })
    expect(await statusOf()).toEqual({ hard: { pods: '7' }, used: { pods: '0' } })
  })

  it('writes nothing when nothing changed', async () => {
    await open()
    await createQuota({ pods: '5' })
    await createPod('a')
    await statusOf()
    const { revision } = bench.store
    bench.pass(300_000)
    await bench.settle()
    expect(bench.store.revision).toBe(revision)
  })
})

describe('nextQuotaStatus()', () => {
  const quota = (hard: object, status?: object) => ({ metadata: { name: 'q' }, spec: { hard }, ...(status && { status }) }) as ResourceQuota
  it('keeps the usage that it cannot count', () =>
    expect(
      nextQuotaStatus(quota({ 'count/things.example.com': '2' }, { used: { 'count/things.example.com': '1', pods: '3' } }), new Map()),
    ).toEqual({
      hard: { 'count/things.example.com': '2' },
      used: { 'count/things.example.com': '1' },
    }))
  it('compares amounts, not texts', () =>
    expect(
      nextQuotaStatus(
        quota({ cpu: '1' }, { hard: { cpu: '1000m' }, used: { cpu: '500m' } }),
        new Map([['cpu', { nano: 500_000_000n, format: 'DecimalSI' }]]),
      ),
    ).toBeUndefined())
})

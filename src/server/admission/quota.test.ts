import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configMaps, persistentVolumeClaims, pods, priorityClasses, resourceQuotas, services } from '../../api/kinds.ts'
import { type Bench, configMap, input, openBench, options, pod, refusal } from '../rest/testing/rest-bench.ts'

const quotaKind = resourceQuotas
const podKind = pods
const quota = (name: string, hard: object, spec: object = {}) => ({ metadata: { name }, spec: { hard, ...spec } })

const open = async (...quotas: ReturnType<typeof quota>[]): Promise<Bench> => {
  const bench = await openBench()
  for (const one of quotas) await bench.create(quotaKind, one)
  return bench
}

const sized = (name: string, requests: object = {}, limits: object = {}) =>
  pod(name, { containers: [{ name: 'c', image: 'x', resources: { requests, limits } }] })

describe('quota admission', () => {
  it('says what was exceeded, in Kubernetes’ words', async () => {
    const bench = await open(quota('q', { pods: '2' }))
    await bench.create(podKind, pod('a'))
    await bench.create(podKind, pod('b'))
    expect(await refusal(bench.create(podKind, pod('x')))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'pods "x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
      reason: 'Forbidden',
      details: { name: 'x', kind: 'pods' },
      code: 403,
    })
  })

  for (const [name, hard, message] of [
    ['one resource', { cpu: '1' }, 'failed quota: q: must specify cpu for: c'],
    [
      'several',
      { 'requests.cpu': '1', 'limits.memory': '1Gi', pods: '5' },
      'failed quota: q: must specify limits.memory for: c; requests.cpu for: c',
    ],
  ] as const)
    it(`requires amounts under a quota on ${name}`, async () => {
      const bench = await open(quota('q', hard))
      expect((await refusal(bench.create(podKind, pod('x')))).message).toBe(`pods "x" is forbidden: ${message}`)
    })

  it('adds up requests and limits', async () => {
    const bench = await open(quota('q', { 'requests.cpu': '1', 'limits.memory': '1Gi', 'requests.ephemeral-storage': '1Gi' }))
    await bench.create(podKind, sized('a', { cpu: '600m' }, { memory: '512Mi' }))
    expect((await refusal(bench.create(podKind, sized('b', { cpu: '500m' }, { memory: '768Mi' })))).message).toBe(
      'pods "b" is forbidden: exceeded quota: q, requested: limits.memory=768Mi,requests.cpu=500m, used: limits.memory=512Mi,requests.cpu=600m, limited: limits.memory=1Gi,requests.cpu=1',
    )
    await bench.create(podKind, sized('c', { cpu: '400m' }, { memory: '512Mi' }))
  })

  it('counts extended resources and huge pages by their requests', async () => {
    const bench = await open(quota('q', { 'requests.example.com/gpu': '1' }))
    await bench.create(podKind, sized('a', { 'example.com/gpu': '1' }, { 'example.com/gpu': '1' }))
    expect((await refusal(bench.create(podKind, sized('b', {}, { 'example.com/gpu': '1' })))).message).toContain(
      'requested: requests.example.com/gpu=1, used: requests.example.com/gpu=1, limited: requests.example.com/gpu=1',
    )
  })

  it('gives no more than there is to requests at the same time', async () => {
    const bench = await open(quota('q', { pods: '7' }))
    const answers = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => bench.create(podKind, pod(`p${i}`))))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
    expect(bench.rest.list(podKind, 'default', {}).items).toHaveLength(7)
  })

  it('takes nothing for requests that fail or only try', async () => {
    const bench = await open(quota('q', { 'count/configmaps': '1' }))
    const mapKind = configMaps
    await bench.rest.create(mapKind, 'default', input(configMap('dry')), { ...options, dryRun: true })
    const twice = await Promise.allSettled([bench.create(mapKind, configMap('a')), bench.create(mapKind, configMap('a'))])
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await refusal(bench.rest.create(mapKind, 'default', input(configMap('b')), { ...options, dryRun: true }))).reason).toBe(
      'Forbidden',
    )
    await bench.rest.delete(mapKind, 'default', 'a', options)
    await bench.create(mapKind, configMap('b'))
  })

  it('does not count what has ended, and counts it as an object', async () => {
    const bench = await open(quota('q', { pods: '1', 'count/pods': '3' }))
    await bench.create(podKind, pod('a'))
    await bench.rest.patch(podKind, 'default', 'a', 'status', 'merge', input({ status: { phase: 'Succeeded' } }), options)
    await bench.create(podKind, pod('b'))
    expect((await refusal(bench.create(podKind, pod('c')))).message).toContain('requested: pods=1, used: pods=1, limited: pods=1')
    await bench.rest.patch(podKind, 'default', 'b', 'status', 'merge', input({ status: { phase: 'Failed' } }), options)
    await bench.create(podKind, pod('c'))
    expect((await refusal(bench.create(podKind, pod('d')))).message).toContain('count/pods=3')
  })

  it('no longer counts a pod that does not go, one grace period after it should have', async () => {
    const bench = await open(quota('q', { pods: '1' }))
    await bench.create(podKind, pod('a', { nodeName: 'n', terminationGracePeriodSeconds: 30 }))
    await bench.rest.delete(podKind, 'default', 'a', options)
    bench.clock.pass(60_000)
    expect((await refusal(bench.create(podKind, pod('b')))).reason).toBe('Forbidden')
    bench.clock.pass(1)
    await bench.create(podKind, pod('b'))
  })

  for (const [name, spec, inside, outside] of [
    ['Terminating', { scopes: ['Terminating'] }, { activeDeadlineSeconds: 5 }, {}],
    ['NotTerminating', { scopes: ['NotTerminating'] }, {}, { activeDeadlineSeconds: 5 }],
    ['BestEffort', { scopes: ['BestEffort'] }, {}, { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '1' } } }] }],
    [
      'NotBestEffort',
      { scopes: ['NotBestEffort'] },
      { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '1' } } }] },
      {},
    ],
    [
      'PriorityClass In',
      { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] } },
      { priorityClassName: 'high' },
      { priorityClassName: 'low' },
    ],
    [
      'PriorityClass NotIn',
      { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['high'] }] } },
      {},
      { priorityClassName: 'high' },
    ],
    [
      'PriorityClass DoesNotExist',
      { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'DoesNotExist' }] } },
      {},
      { priorityClassName: 'low' },
    ],
  ] as const)
    it(`counts pods of the scope ${name} only`, async () => {
      const bench = await openBench()
      for (const [each, value] of [
        ['high', 10],
        ['low', 1],
      ] as const)
        await bench.create(priorityClasses, { metadata: { name: each }, value })
      await bench.create(quotaKind, quota('q', { pods: '1' }, spec))
      await bench.create(podKind, pod('a', outside))
      await bench.create(podKind, pod('b', outside))
      await bench.create(podKind, pod('c', inside))
      expect((await refusal(bench.create(podKind, pod('d', inside)))).reason).toBe('Forbidden')
      await bench.create(podKind, pod('e', outside))
    })

  it('charges a pod that comes into a scope by an update', async () => {
    const bench = await open(quota('q', { pods: '1' }, { scopes: ['Terminating'] }))
    await bench.create(podKind, pod('a', { activeDeadlineSeconds: 5 }))
    await bench.create(podKind, pod('b'))
    const change = bench.rest.patch(podKind, 'default', 'b', undefined, 'merge', input({ spec: { activeDeadlineSeconds: 5 } }), options)
    expect((await refusal(change)).message).toBe(
      'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    )
  })

  it('counts node ports and load balancers, also when a Service becomes one', async () => {
    const bench = await open(quota('q', { services: '3', 'services.nodeports': '1', 'services.loadbalancers': '0' }))
    const serviceKind = services
    const service = (name: string, type: string, count: number) => ({
      metadata: { name },
      spec: { type, ports: Array.from({ length: count }, (_, i) => ({ name: `p${i}`, port: 80 + i })) },
    })
    expect((await refusal(bench.create(serviceKind, service('a', 'NodePort', 2)))).message).toContain(
      'requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1',
    )
    await bench.create(serviceKind, service('a', 'NodePort', 1))
    await bench.create(serviceKind, service('b', 'ClusterIP', 1))
    const change = (type: string) => bench.rest.patch(serviceKind, 'default', 'b', undefined, 'merge', input({ spec: { type } }), options)
    expect((await refusal(change('NodePort'))).message).toContain('services.nodeports=1')
    expect((await refusal(change('LoadBalancer'))).message).toContain(
      'requested: services.loadbalancers=1,services.nodeports=1, used: services.loadbalancers=0,services.nodeports=1',
    )
  })

  it('counts storage, also by storage class', async () => {
    const bench = await open(quota('q', { 'requests.storage': '10Gi', 'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1' }))
    const claimKind = persistentVolumeClaims
    const claim = (name: string, storage: string, storageClassName: string) => ({
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, storageClassName },
    })
    await bench.create(claimKind, claim('a', '6Gi', 'gold'))
    expect((await refusal(bench.create(claimKind, claim('b', '5Gi', 'tin')))).message).toContain(
      'requested: requests.storage=5Gi, used: requests.storage=6Gi, limited: requests.storage=10Gi',
    )
    expect((await refusal(bench.create(claimKind, claim('b', '1Gi', 'gold')))).message).toContain(
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims=1',
    )
    await bench.create(claimKind, claim('b', '1Gi', 'tin'))
  })

  it('checks every quota, and follows their changes', async () => {
    const bench = await open(quota('one', { pods: '5' }), quota('two', { configmaps: '0', pods: '1' }))
    await bench.create(podKind, pod('a'))
    expect((await refusal(bench.create(podKind, pod('b')))).message).toContain('exceeded quota: two')
    expect((await refusal(bench.create(configMaps, configMap('m')))).message).toContain('requested: configmaps=1')
    await bench.rest.patch(quotaKind, 'default', 'two', undefined, 'merge', input({ spec: { hard: { pods: '2' } } }), options)
    await bench.create(podKind, pod('b'))
    await bench.rest.delete(quotaKind, 'default', 'two', options)
    await bench.create(podKind, pod('c'))
    await bench.create(podKind, pod('d'), 'default')
  })

  it('never lets the objects of a namespace exceed the quota, for random requests', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            what: fc.constantFrom('create', 'create', 'delete', 'end', 'try'),
            name: fc.integer({ min: 0, max: 5 }),
            cpu: fc.integer({ min: 1, max: 5 }),
          }),
          { maxLength: 40 },
        ),
        async (steps) => {
          const bench = await open(quota('q', { 'requests.cpu': '8', pods: '4' }))
          await Promise.allSettled(
            steps.map(({ what, name, cpu }) => {
              const id = `p${name}`
              const object = sized(id, { cpu: String(cpu) })
              if (what === 'create') return bench.create(podKind, object)
              if (what === 'try') return bench.rest.create(podKind, 'default', input(object), { ...options, dryRun: true })
              if (what === 'delete') return bench.rest.delete(podKind, 'default', id, { ...options, gracePeriodSeconds: 0 })
              return bench.rest.patch(podKind, 'default', id, 'status', 'merge', input({ status: { phase: 'Failed' } }), options)
            }),
          )
          type Sized = { spec: { containers: { resources: { requests: { cpu: string } } }[] }; status: { phase: string } }
          const alive = bench.rest
            .list(podKind, 'default', {})
            .items.map(({ object }) => object as unknown as Sized)
            .filter(({ status }) => status.phase !== 'Failed')
          const cpu = alive.reduce((sum, { spec }) => sum + Number(spec.containers[0]!.resources.requests.cpu), 0)
          expect(alive.length).toBeLessThanOrEqual(4)
          expect(cpu).toBeLessThanOrEqual(8)
          // And all of what is left can be had.
          const free = 8 - cpu
          if (free > 0 && alive.length < 4) {
            await bench.create(podKind, sized('rest', { cpu: String(free) }))
            expect((await refusal(bench.create(podKind, sized('more', { cpu: '1' })))).message).toContain('used:')
          }
        },
      ),
      { numRuns: 40 },
    ))
})

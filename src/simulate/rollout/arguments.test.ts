import { describe, expect, it } from 'vitest'
import { type Fail, readAutoscaling, readFault, readImage, readNodes, readPolicies, readScale } from './arguments.ts'
import type { PlannedObject } from './plan.ts'

const fail: Fail = (message) => {
  throw new Error(message)
}
const deployment = (name: string, ...containers: readonly string[]): PlannedObject => ({
  object: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: { template: { spec: { containers: containers.map((container) => ({ name: container })) } } },
  } as PlannedObject['object'],
  place: { source: 'web.yaml' },
})
const web = deployment('web', 'web')
/** Of the same name in another namespace. */
const elsewhere: PlannedObject = { ...web, object: { ...web.object, metadata: { name: 'web', namespace: 'test' } } }
const target = { kind: 'Deployment', namespace: 'shop', name: 'web' }

describe('readNodes()', () => {
  it.each([
    ['5', [{ count: 5 }]],
    ['5x4cpu16Gi', [{ count: 5, cpu: '4', memory: '16Gi' }]],
    [
      '3x500mcpu1Gi,2x8cpu32Gi',
      [
        { count: 3, cpu: '500m', memory: '1Gi' },
        { count: 2, cpu: '8', memory: '32Gi' },
      ],
    ],
    ['3x4cpu16Gi50pods', [{ count: 3, cpu: '4', memory: '16Gi', pods: 50 }]],
    [
      '3x4cpu16Gi[zones=a/b/c],2[disk=ssd,example.com/gpu=yes,dedicated=db:NoSchedule,spot:PreferNoSchedule,name=db]',
      [
        { count: 3, cpu: '4', memory: '16Gi', zones: ['a', 'b', 'c'] },
        {
          count: 2,
          name: 'db',
          labels: { disk: 'ssd', 'example.com/gpu': 'yes' },
          taints: [
            { key: 'dedicated', value: 'db', effect: 'NoSchedule' },
            { key: 'spot', effect: 'PreferNoSchedule' },
          ],
        },
      ],
    ],
  ])('reads %s', (text, nodes) => {
    expect(readNodes(text, fail)).toEqual(nodes)
  })

  it.each(['3[disk]', '3[dedicated=db:Sometimes]', '3[=x]', '3[a=b'])('refuses %s', (text) => {
    expect(() => readNodes(text, fail)).toThrow('cannot read')
  })
})

describe('readPolicies()', () => {
  it('takes them in any case and order', () => {
    expect(readPolicies('terminationcomplete,none', fail)).toEqual(['None', 'TerminationComplete'])
    expect(readPolicies('all', fail)).toHaveLength(5)
  })
})

describe('readImage()', () => {
  it.each([
    ['image=web:2', [web], { container: 'web', image: 'web:2' }],
    ['web=registry.example:5000/web@sha256:abc', [web], { container: 'web', image: 'registry.example:5000/web@sha256:abc' }],
    ['deployment/web:web=web:2', [web, deployment('api', 'web')], { container: 'web', image: 'web:2' }],
    ['web:image=web:2', [web, deployment('api', 'web')], { container: 'web', image: 'web:2' }],
    ['deployment/shop/web:image=web:2', [web, elsewhere], { container: 'web', image: 'web:2' }],
    ['proxy=proxy:2', [deployment('web', 'web', 'proxy'), deployment('api', 'api')], { container: 'proxy', image: 'proxy:2' }],
  ])('reads %s', (text, objects, action) => {
    expect(readImage(text, objects, fail)).toEqual({ type: 'image', target, ...action })
  })

  it.each([
    [
      'image=web:2',
      [web, deployment('api', 'api')],
      'there are several workloads to update: deployment/web, deployment/api. Name one, such as deployment/web:image=web:2',
    ],
    [
      'web:image=web:2',
      [deployment('api', 'api'), web, elsewhere],
      'workloads to update: deployment/api, deployment/shop/web, deployment/test/web. Name one, such as deployment/shop/web:image=web:2',
    ],
    ['deployment/web=web:2', [web], 'cannot read "deployment/web=web:2". Write deployment/web:image=web:2'],
    ['api=web:2', [web, deployment('api', 'app')], 'there is no container "api" in the manifests. Write api:image=web:2 for the workload.'],
    ['image=web:2', [deployment('web', 'web', 'proxy')], 'has the containers web and proxy. Name one'],
    ['deployment/db:web=web:2', [web], 'there is no "deployment/db" to update'],
  ])('refuses %s', (text, objects, message) => {
    expect(() => readImage(text, objects, fail)).toThrow(message)
  })
})

describe('readScale()', () => {
  it('reads sizes and times', () => {
    expect(readScale('3@1m,web=12@5m30s', [web], fail).map(({ atMs, action }) => [atMs, action])).toEqual([
      [60_000, { type: 'scale', target, replicas: 3 }],
      [330_000, { type: 'scale', target, replicas: 12 }],
    ])
  })

  it('finds a workload by its namespace, and says how one of several is named', () => {
    const [step] = readScale('deployment/test/web=3', [web, elsewhere], fail)
    expect(step!.action).toEqual({ type: 'scale', target: { ...target, namespace: 'test' }, replicas: 3 })
    expect(() => readScale('3@5m', [web, elsewhere], fail)).toThrow('Name one, such as deployment/shop/web=3@5m')
  })
})

describe('readFault()', () => {
  it.each([
    [
      'node-2:down@3m..8m',
      [
        [180_000, { type: 'node-down', node: 'node-2' }],
        [480_000, { type: 'node-up', node: 'node-2' }],
      ],
    ],
    ['node-2:drain@90s', [[90_000, { type: 'drain', node: 'node-2' }]]],
    ['web:evict=3@1.5s', [[1500, { type: 'evict', target, count: 3 }]]],
    ['deployment/web:crash=all@0s', [[0, { type: 'crash', target }]]],
  ])('reads %s', (text, steps) => {
    expect(readFault(text, [web], ['node-1', 'node-2'], fail).map(({ atMs, action }) => [atMs, action])).toEqual(steps)
  })

  it('refuses a fault that ends before it starts', () => {
    expect(() => readFault('node-2:down@3m..2m', [web], undefined, fail)).toThrow('it ends before it starts')
  })
})

describe('readAutoscaling()', () => {
  it.each([
    ['3..10', { min: 3, max: 10 }],
    ['10', { min: 5, max: 10 }],
    [true, { min: 5, max: 20 }],
  ] as const)('reads %s', (text, sizes) => {
    expect(readAutoscaling(text, 5, fail)).toEqual(sizes)
  })
})

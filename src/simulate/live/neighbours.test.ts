import { describe, expect, it } from 'vitest'
import type { KubernetesObject, Pod } from '../../api/types.ts'
import { isNeighbour, neighbourOf } from './neighbours.ts'

const term = (app: string) => ({ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } })
const workload = (spec: object): KubernetesObject =>
  ({
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web' }], ...spec } } },
  }) as never
const pod = (spec: object = {}, phase = 'Running'): Pod =>
  ({
    metadata: { name: 'db-0', namespace: 'shop', labels: { app: 'db' } },
    spec: { nodeName: 'node-1', containers: [], ...spec },
    status: { phase },
  }) as never

describe('isNeighbour()', () => {
  const required = (...terms: object[]) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms })
  const near = workload({ affinity: { podAffinity: required(term('db')) } })
  const ports = (hostPort: number) => ({ containers: [{ name: 'a', ports: [{ containerPort: 80, hostPort }] }] })
  it.each([
    ['required affinity', near, pod(), true],
    ['affinity to others', workload({ affinity: { podAffinity: required(term('cache')) } }), pod(), false],
    [
      'preferred anti-affinity',
      workload({
        affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term('db') }] } },
      }),
      pod(),
      true,
    ],
    ['spreading', workload({ topologySpreadConstraints: [term('db')] }), pod(), true],
    ['anti-affinity of the other pod', workload({}), pod({ affinity: { podAntiAffinity: required(term('web')) } }), true],
    ['host ports of both', workload(ports(80)), pod(ports(81)), true],
    ['host ports of one', workload({}), pod(ports(81)), false],
    ['a pod that has ended', near, pod({}, 'Succeeded'), false],
    ['a pod without a node', near, pod({ nodeName: undefined }), false],
  ])('%s', (_, object, other, expected) => expect(isNeighbour(other, object)).toBe(expected))
})

describe('neighbourOf()', () => {
  it('has the place, labels, requests and ports of the pod, and nothing that it refers to', () => {
    const other = pod({
      serviceAccountName: 'robot',
      volumes: [{ name: 'v', secret: { secretName: 's' } }],
      containers: [
        { name: 'a', resources: { requests: { cpu: '500m', 'example.com/gpu': '1' } }, ports: [{ containerPort: 80, hostPort: 80 }] },
        { name: 'b', resources: { requests: { cpu: '1' } } },
      ],
    })
    expect(neighbourOf(other, true)).toMatchObject({
      kind: 'Pod',
      metadata: { name: 'db-0', namespace: 'shop', labels: { app: 'db' } },
      spec: {
        nodeName: 'node-1',
        containers: [
          {
            resources: { requests: { cpu: '1500m', 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } },
            ports: [{ containerPort: 80, hostPort: 80 }],
          },
        ],
      },
    })
    expect(JSON.stringify(neighbourOf(other, false))).not.toMatch(/nodeName|robot|secret/)
  })
})

import { describe, expect, it } from 'vitest'
import type { KubernetesObject } from '../../api/types.ts'
import { checkQuantities } from './manifests.ts'

const check = (kind: string, spec: object) =>
  checkQuantities({ object: { kind, spec } as KubernetesObject, place: { source: 'a.yaml', line: 1, column: 1 } })

describe('checkQuantities()', () => {
  const containers = (resources: object) => ({ template: { spec: { containers: [{ name: 'a', resources }] } } })

  it.each([
    ['amounts of a container', 'Deployment', containers({ requests: { cpu: '500m' }, limits: { memory: '1Gi', cpu: 2 } })],
    ['limits of a namespace', 'LimitRange', { limits: [{ type: 'Container', max: { cpu: '2' }, defaultRequest: { memory: '64Mi' } }] }],
    ['a quota', 'ResourceQuota', { hard: { pods: '5', 'requests.cpu': '4' } }],
    ['volumes that are none', 'Deployment', { template: { spec: { volumes: null, containers: [] } } }],
  ])('takes %s', (_, kind, spec) => {
    expect(() => check(kind, spec)).not.toThrow()
  })

  it.each([
    ['amounts of a container', 'Deployment', containers({ limits: { memory: 'much' } })],
    ['limits of a namespace', 'LimitRange', { limits: [{ type: 'Container', max: { cpu: 'much' } }] }],
    ['a quota', 'ResourceQuota', { hard: { pods: 'much' } }],
  ])('refuses %s that are no amounts', (_, kind, spec) => {
    expect(() => check(kind, spec)).toThrow('"much" is not a quantity')
  })
})

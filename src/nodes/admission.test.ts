import { describe, expect, it } from 'vitest'
import type { Pod } from '../api/types.ts'
import { NodeUsage, podAmounts, readAmounts } from './admission.ts'

const container = (cpu: string, more: object = {}) => ({ name: 'c', image: 'x', resources: { requests: { cpu } }, ...more })
const podOf = (spec: object) => ({ spec: { containers: [], ...spec } }) as unknown as Pod

describe('podAmounts()', () => {
  it.each<[name: string, spec: object, cpu: number]>([
    ['containers together', { containers: [container('100m'), container('0.2')] }, 300],
    ['an init container that needs more', { containers: [container('100m')], initContainers: [container('1')] }, 1000],
    [
      'sidecars beside the containers',
      { containers: [container('100m')], initContainers: [container('50m', { restartPolicy: 'Always' })] },
      150,
    ],
    [
      'an init container beside the sidecars before it',
      { containers: [container('100m')], initContainers: [container('50m', { restartPolicy: 'Always' }), container('200m')] },
      250,
    ],
    ['the overhead', { containers: [container('100m')], overhead: { cpu: '10m' } }, 110],
    ['pod-level requests', { containers: [container('100m')], resources: { requests: { cpu: '500m' } } }, 500],
  ])('counts %s', (_, spec, cpu) => expect(podAmounts(podOf(spec)).get('cpu')).toBe(cpu))
})

describe('NodeUsage', () => {
  const allocatable = readAmounts({ cpu: '1', pods: '2', memory: '1Gi' })
  const port = (hostPort: number, more: object = {}) =>
    podOf({ containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort, ...more }] }] })

  it('adds and removes the resources of pods', () => {
    const use = new NodeUsage()
    const half = podOf({ containers: [container('600m')] })
    expect(use.admit(half, allocatable, undefined)).toBeUndefined()
    use.add(half)
    expect(use.admit(half, allocatable, undefined)).toEqual({
      reason: 'OutOfcpu',
      message: "Node didn't have enough resource: cpu, requested: 600, used: 600, capacity: 1000",
    })
    use.remove(half)
    expect(use.admit(half, allocatable, undefined)).toBeUndefined()
  })

  it('rejects a pod beyond the pod capacity', () => {
    const use = new NodeUsage()
    use.add(podOf({}))
    use.add(podOf({}))
    expect(use.admit(podOf({}), allocatable, undefined)?.reason).toBe('OutOfpods')
  })

  it.each<[name: string, wanted: Pod, isTaken: boolean]>([
    ['the same port', port(80), true],
    ['another port', port(81), false],
    ['another protocol', port(80, { protocol: 'UDP' }), false],
    ['the same port on one address', port(80, { hostIP: '127.0.0.1' }), true],
    ['a port on another address', port(90, { hostIP: '127.0.0.2' }), false],
    ['that port on all addresses', port(90), true],
  ])('knows whether %s is taken', (_, wanted, isTaken) => {
    const use = new NodeUsage()
    use.add(port(80))
    use.add(port(90, { hostIP: '127.0.0.1' }))
    expect(use.admit(wanted, readAmounts({}), undefined)?.reason).toBe(isTaken ? 'NodePorts' : undefined)
  })

  it('rejects a pod that selects another node', () => {
    const node = { metadata: { labels: { disk: 'hdd' } } }
    expect(new NodeUsage().admit(podOf({ nodeSelector: { disk: 'ssd' } }), allocatable, node)?.message).toBe(
      "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    )
  })
})

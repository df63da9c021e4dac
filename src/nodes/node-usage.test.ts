import { describe, expect, it } from 'vitest'
import type { Pod } from '../api/types.ts'
import { NodeUsage } from './node-usage.ts'
import { readAmounts } from './scheduler/pod-requests.ts'

const container = (cpu: string) => ({ name: 'c', image: 'x', resources: { requests: { cpu } } })
const podOf = (spec: object) => ({ spec: { containers: [], ...spec } }) as unknown as Pod

describe('NodeUsage', () => {
  const allocatable = readAmounts({ cpu: '1', pods: '2', memory: '1Gi' })
  const port = (hostPort: number, more: object = {}) =>
    podOf({ containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort, ...more }] }] })

  it('adds and removes the resources of pods', () => {
    const usage = new NodeUsage()
    const half = podOf({ containers: [container('600m')] })
    expect(usage.admit(half, allocatable, undefined)).toBeUndefined()
    usage.add(half)
    expect(usage.admit(half, allocatable, undefined)).toEqual({
      reason: 'OutOfcpu',
      message: "Node didn't have enough resource: cpu, requested: 600, used: 600, capacity: 1000",
    })
    usage.remove(half)
    expect(usage.admit(half, allocatable, undefined)).toBeUndefined()
  })

  it('rejects a pod beyond the pod capacity', () => {
    const usage = new NodeUsage()
    usage.add(podOf({}))
    usage.add(podOf({}))
    expect(usage.admit(podOf({}), allocatable, undefined)?.reason).toBe('OutOfpods')
  })

  it.each<[name: string, wanted: Pod, isTaken: boolean]>([
    ['the same port', port(80), true],
    ['another port', port(81), false],
    ['another protocol', port(80, { protocol: 'UDP' }), false],
    ['the same port on one address', port(80, { hostIP: '127.0.0.1' }), true],
    ['a port on another address', port(90, { hostIP: '127.0.0.2' }), false],
    ['that port on all addresses', port(90), true],
  ])('knows whether %s is taken', (_, wanted, isTaken) => {
    const usage = new NodeUsage()
    usage.add(port(80))
    usage.add(port(90, { hostIP: '127.0.0.1' }))
    expect(usage.admit(wanted, readAmounts({}), undefined)?.reason).toBe(isTaken ? 'NodePorts' : undefined)
  })

  it('rejects a pod that selects another node', () => {
    const node = { metadata: { labels: { disk: 'hdd' } } }
    expect(new NodeUsage().admit(podOf({ nodeSelector: { disk: 'ssd' } }), allocatable, node)?.message).toBe(
      "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    )
  })
})

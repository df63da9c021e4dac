import { describe, expect, it } from 'vitest'
import type { Node, Pod, ResourceQuota } from '../../api/types.ts'
import { liveNodes } from './live-nodes.ts'
import { liveQuota } from './live-quota.ts'
import { matchesSelector } from './selection.ts'

const node = (name: string, more: object = {}, isReady = true): Node =>
  ({
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': 'b', disk: 'ssd' } },
    spec: {
      taints: [
        { key: 'dedicated', value: 'db', effect: 'NoSchedule' },
        { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' },
      ],
      ...more,
    },
    status: {
      allocatable: { cpu: '3920m', memory: '12Gi', pods: '58', 'ephemeral-storage': '50Gi', 'nvidia.com/gpu': '2' },
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    },
  }) as Node

const pod = (name: string, nodeName: string, requests: object, more: object = {}): Pod =>
  ({
    metadata: { name },
    spec: { nodeName, containers: [{ name: 'a', resources: { requests } }], ...more },
    status: { phase: 'Running' },
  }) as Pod

describe('liveNodes()', () => {
  it('subtracts the requests of other pods from the nodes, and keeps labels and taints', () => {
    const { groups, note } = liveNodes(
      [node('n1'), node('n2', { unschedulable: true }), node('n3', {}, false)],
      [
        pod('own', 'n1', { cpu: '1' }),
        pod('other', 'n1', { cpu: '500m', memory: '2Gi', 'nvidia.com/gpu': '1' }),
        pod('greedy-init', 'n1', { cpu: '100m' }, { initContainers: [{ name: 'i', resources: { requests: { cpu: '1' } } }] }),
        { ...pod('ended', 'n1', { cpu: '1' }), status: { phase: 'Succeeded' } } as Pod,
      ],
      ({ metadata }) => metadata?.name === 'own',
    )
    expect(groups).toEqual([
      {
        nodeName: 'n1',
        zones: [],
        cpu: '2420m',
        memory: '10Gi',
        ephemeralStorage: '50Gi',
        pods: 56,
        labels: { 'topology.kubernetes.io/zone': 'b', disk: 'ssd' },
        taints: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }],
        resources: { 'nvidia.com/gpu': '1' },
      },
    ])
    expect(note).toBe('1 node of the cluster, less what 2 other pods on them request, without 2 that are not ready or cordoned')
  })
})

describe('liveQuota()', () => {
  it('leaves what others do not use, and only of pods', () => {
    const quota = {
      metadata: { name: 'q' },
      spec: { hard: { pods: '10', 'requests.cpu': '4', configmaps: '5' } },
      status: { used: { pods: '6', 'requests.cpu': '3', configmaps: '5' } },
    } as unknown as ResourceQuota
    const own = [pod('a', 'n', { cpu: '500m' }), pod('b', 'n', { cpu: '500m' })]
    expect(liveQuota(quota, own)?.spec?.hard).toEqual({ pods: '6', 'requests.cpu': '2' })
    expect(liveQuota({ ...quota, spec: { hard: { configmaps: '5' } } }, own)).toBeUndefined()
  })
})

it.each([
  ['labels that match', { matchLabels: { app: 'web' } }, true],
  ['other labels', { matchLabels: { app: 'api' } }, false],
  ['everything', {}, true],
  ['nothing', undefined, false],
])('selects by %s', (_, selector, matches) => {
  expect(matchesSelector(selector, { app: 'web', tier: 'front' })).toBe(matches)
})

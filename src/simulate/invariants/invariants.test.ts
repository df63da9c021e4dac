import { describe, expect, it } from 'vitest'
import { daemonSets, deployments, horizontalPodAutoscalers, jobs, pods } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { createCluster } from '../library/test-cluster.ts'
import { findLeftBehind, findWrongCounts, type Settled, watchInvariants } from './invariants.ts'

let revision = 0
const change = (kind: { readonly plural: string }, name: string, more: object, verb: Change['verb'] = 'update'): Change => {
  const { metadata, ...rest } = more as { metadata?: object }
  const object = { metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', ...metadata }, ...rest }
  return {
    verb,
    kind: kind as Kind,
    key: `default/${name}`,
    revision: ++revision,
    object: object as Stored<KubernetesObject>,
    controller: controllerOf(object),
  }
}
const ownedBy = (kind: string, name = 'owner') => ({ apiVersion: 'v1', kind, name, uid: `${name}-uid`, controller: true })
const indexed = (index: number, more: object = {}) => ({
  metadata: { ownerReferences: [ownedBy('Job')], annotations: { 'batch.kubernetes.io/job-completion-index': String(index) } },
  ...more,
})
const onNode = (nodeName: string, hash = 'a', metadata: object = {}) => ({
  metadata: { ownerReferences: [ownedBy('DaemonSet')], labels: { 'controller-revision-hash': hash }, ...metadata },
  spec: { nodeName, containers: [] },
})
const observed = (observedGeneration: number, generation = 5) => ({ metadata: { generation }, status: { observedGeneration } })

const asked = (generation: number, replicas: number, spec: object = {}, metadata: object = {}) =>
  change(deployments, 'a', { metadata: { generation, ...metadata }, spec: { replicas, ...spec } })
const rollback = { annotations: { 'deprecated.deployment.rollback.to': '1' } }

describe('watchInvariants()', () => {
  it('distinguishes a spec that a controller changed from one that a user changed', () => {
    let isUserWriting = true
    const { breaches, onChange } = watchInvariants({ isUserWriting: () => isUserWriting })
    onChange(asked(1, 3))
    onChange(asked(2, 4))
    isUserWriting = false
    onChange(asked(2, 4))
    expect(breaches).toEqual([])
    onChange(asked(3, 3))
    expect(breaches).toEqual(['what was asked of Deployment default/a is changed, and not by a user'])
  })

  it.each<[string, Change[], boolean]>([
    [
      'an autoscaler may scale its target',
      [change(horizontalPodAutoscalers, 'h', { spec: { scaleTargetRef: { kind: 'Deployment', name: 'a' } } }), asked(1, 3), asked(2, 5)],
      true,
    ],
    [
      'an autoscaler may change nothing else',
      [
        change(horizontalPodAutoscalers, 'h', { spec: { scaleTargetRef: { kind: 'Deployment', name: 'a' } } }),
        asked(1, 3),
        asked(2, 5, { paused: true }),
      ],
      false,
    ],
    [
      'an autoscaler of another Deployment',
      [change(horizontalPodAutoscalers, 'h', { spec: { scaleTargetRef: { kind: 'Deployment', name: 'b' } } }), asked(1, 3), asked(2, 5)],
      false,
    ],
    ['a requested rollback changes the template', [asked(1, 3), asked(1, 3, {}, rollback), asked(2, 3, { template: {} })], true],
    ['a rollback without a request', [asked(1, 3), asked(2, 3, { template: {} })], false],
  ])('%s', (_, changes, isAllowed) => {
    const { breaches, onChange } = watchInvariants({ isUserWriting: () => false })
    for (const one of changes) onChange(one)
    expect(breaches).toHaveLength(isAllowed ? 0 : 1)
  })

  it.each<[string, Change[], RegExp | undefined]>([
    ['observedGeneration grows', [change(deployments, 'a', observed(1)), change(deployments, 'a', observed(2))], undefined],
    ['observedGeneration goes back', [change(jobs, 'a', observed(2)), change(jobs, 'a', observed(1))], /default\/a goes back from 2 to 1/],
    ['observedGeneration is of the future', [change(daemonSets, 'a', observed(3, 2))], /is 3 where its generation is 2/],
    [
      'a new object starts over',
      [change(jobs, 'a', observed(2)), change(jobs, 'a', {}, 'delete'), change(jobs, 'a', observed(1))],
      undefined,
    ],
    [
      'one controller',
      [change(pods, 'a', { metadata: { ownerReferences: [ownedBy('Job'), { ...ownedBy('Job', 'b'), controller: false }] } })],
      undefined,
    ],
    [
      'two controllers',
      [change(pods, 'a', { metadata: { ownerReferences: [ownedBy('Job'), ownedBy('ReplicaSet', 'b')] } })],
      /has 2 controllers: Job owner, ReplicaSet b/,
    ],
    ['two indexes', [change(pods, 'a', indexed(0)), change(pods, 'b', indexed(1))], undefined],
    ['two pods of one index', [change(pods, 'a', indexed(3)), change(pods, 'b', indexed(3))], /2 pods are index 3 of Job default\/owner/],
    [
      'a pod takes over the index of one that failed',
      [change(pods, 'a', indexed(3)), change(pods, 'a', indexed(3, { status: { phase: 'Failed' } })), change(pods, 'b', indexed(3))],
      undefined,
    ],
    ['a daemon on two nodes', [change(pods, 'a', onNode('n1')), change(pods, 'b', onNode('n2'))], undefined],
    ['two daemons on one node', [change(pods, 'a', onNode('n1')), change(pods, 'b', onNode('n1'))], /2 pods are DaemonSet .* on node n1/],
    ['the new daemon beside the old one', [change(pods, 'a', onNode('n1')), change(pods, 'b', onNode('n1', 'b'))], undefined],
    [
      'a daemon after one that goes',
      [
        change(pods, 'a', onNode('n1')),
        change(pods, 'a', onNode('n1', 'a', { deletionTimestamp: 'now' })),
        change(pods, 'b', onNode('n1')),
      ],
      undefined,
    ],
  ])('%s', (_, changes, expected) => {
    const invariants = watchInvariants()
    for (const one of changes) invariants.onChange(one)
    if (expected === undefined) expect(invariants.breaches).toEqual([])
    else expect(invariants.breaches.join()).toMatch(expected)
  })
})

describe('findWrongCounts()', () => {
  const object = (name: string, more: object) => change(pods, name, more).object as never
  const nothing: Settled = {
    replicaSets: [],
    deployments: [],
    statefulSets: [],
    daemonSets: [],
    jobs: [],
    budgets: [],
    quotas: [],
    pods: [],
  }
  const ready = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }
  const podOf = (uid: string, name: string, more: object = ready) =>
    object(name, { metadata: { ownerReferences: [{ ...ownedBy('X'), uid }] }, ...more })

  it.each<[string, Partial<Settled>, string[]]>([
    [
      'all is counted',
      { replicaSets: [object('a', { status: { replicas: 2, readyReplicas: 1 } })], pods: [podOf('a', 'p'), podOf('a', 'q', {})] },
      [],
    ],
    [
      'a pod is forgotten',
      { replicaSets: [object('a', { status: { replicas: 1, readyReplicas: 1 } })], pods: [podOf('a', 'p'), podOf('a', 'q', {})] },
      ['status.replicas of ReplicaSet default/a is 1 where there are 2'],
    ],
    ['a pod is made up', { jobs: [object('a', { status: { active: 1 } })] }, ['status.active of Job default/a is 1 where there are 0']],
    [
      'a daemon is not ready',
      { daemonSets: [object('a', { status: { numberReady: 1 } })], pods: [podOf('a', 'p', {})] },
      ['status.numberReady of DaemonSet default/a is 1 where there are 0'],
    ],
    [
      'a daemon stays on a node that has become unsuitable',
      {
        daemonSets: [object('a', { status: { numberReady: 1, numberMisscheduled: 1 } })],
        pods: [podOf('a', 'p'), podOf('a', 'q')],
      },
      [],
    ],
    [
      'a ready daemon is forgotten',
      {
        daemonSets: [object('a', { status: { numberReady: 0, numberMisscheduled: 1 } })],
        pods: [podOf('a', 'p'), podOf('a', 'q')],
      },
      ['status.numberReady of DaemonSet default/a is 0 where there are 2'],
    ],
    [
      'the first of two daemons on a node is not ready, and the other is',
      {
        daemonSets: [object('a', { status: { numberReady: 0 } })],
        pods: [podOf('a', 'p', { spec: { nodeName: 'n' } }), podOf('a', 'q', { ...ready, spec: { nodeName: 'n' } })],
      },
      [],
    ],
    [
      'the first of two daemons on a node is ready, and forgotten',
      {
        daemonSets: [object('a', { status: { numberReady: 0 } })],
        pods: [podOf('a', 'p', { ...ready, spec: { nodeName: 'n' } }), podOf('a', 'q', { spec: { nodeName: 'n' } })],
      },
      ['status.numberReady of DaemonSet default/a is 0 where there are 1'],
    ],
    [
      'a quota counts a pod that has ended',
      {
        quotas: [object('a', { spec: { hard: { pods: '4' } }, status: { used: { pods: '2' } } })],
        pods: [podOf('x', 'p'), podOf('x', 'q', { status: { phase: 'Succeeded' } })],
      },
      ['status.used.pods of ResourceQuota default/a is 2 where there are 1'],
    ],
    [
      'a quota counts what it is asked to count only',
      { quotas: [object('a', { spec: { hard: { pods: '4' }, scopes: ['BestEffort'] }, status: { used: { pods: '2' } } })] },
      [],
    ],
    [
      'a budget counts a pod that is not ready',
      {
        budgets: [object('a', { spec: { selector: { matchLabels: { app: 'x' } } }, status: { currentHealthy: 2 } })],
        pods: [
          object('p', { metadata: { labels: { app: 'x' } }, ...ready }),
          object('q', { metadata: { labels: { app: 'x' } } }),
          object('r', { metadata: { labels: { app: 'y' } }, ...ready }),
        ],
      },
      ['status.currentHealthy of PodDisruptionBudget default/a is 2 where there are 1'],
    ],
  ])('%s', (_, state, expected) => {
    expect(findWrongCounts({ ...nothing, ...state })).toEqual(expected)
  })
})

describe('findLeftBehind()', () => {
  it('finds what has lost its owner', () => {
    const owner = change(jobs, 'j', {}).object
    const pod = (name: string, uid: string) =>
      change(pods, name, { metadata: { ownerReferences: [{ ...ownedBy('Job', 'j'), uid }] } }).object
    expect(findLeftBehind([pod('a', 'j'), pod('b', 'gone'), change(pods, 'c', {}).object], [owner])).toEqual([
      'default/b is left behind: its Job j is gone',
    ])
  })
})

describe('a cluster with invariants', () => {
  const twins = async (cluster: Awaited<ReturnType<typeof createCluster>>) => {
    await cluster.apply({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j' },
      spec: {
        completions: 1,
        completionMode: 'Indexed',
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sleep', '600'] }] } },
      },
    })
    const pod = await cluster.until(async () => (await cluster.list('pod'))[0])
    const { name: _, uid: __, resourceVersion: ___, generateName: ____, ...metadata } = pod.metadata
    await cluster.client.create(pods, 'default', { ...pod, metadata: { ...metadata, name: 'twin' } } as never)
  }

  it('ends the move in which one is broken, with the seed and the last writes', async () => {
    const cluster = await createCluster({ seed: 11 })
    await twins(cluster)
    await expect(cluster.advance('1s')).rejects.toThrow(
      /violated \(seed 11\): 2 pods are index 0 of Job default\/j.*The last writes:.*twin/s,
    )
    expect(cluster.breaches).toHaveLength(1)
    await cluster.stop()
  })

  it('can be turned off for a test', async () => {
    const cluster = await createCluster({ invariants: false })
    await twins(cluster)
    await cluster.advance('1s')
    expect(cluster.breaches).toEqual([])
    await cluster.stop()
  })
})

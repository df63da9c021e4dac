import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildView } from './build-view.ts'
import { ClusterState, countsByState } from './cluster-state.ts'
import type { AnyObject, Pod } from './objects.ts'
import { noPods, podStates, stateOf } from './pod-summary.ts'
import type { NodesView, OverviewView, WorkloadView } from './views.ts'

const owner = (kind: string, uid: string) => [{ kind, name: uid, uid, controller: true }]
const deployment = (replicas = 4, conditions: object[] = []): AnyObject => ({
  metadata: { name: 'web', namespace: 'default', uid: 'd' },
  spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } } },
  status: { conditions },
})
const replicaSet = (uid: string, revision: number, image: string): AnyObject => ({
  metadata: {
    name: uid,
    namespace: 'default',
    uid,
    annotations: { 'deployment.kubernetes.io/revision': String(revision) },
    ownerReferences: owner('Deployment', 'd'),
  },
  spec: { template: { metadata: { labels: { app: 'web', 'pod-template-hash': uid } }, spec: { containers: [{ name: 'c', image }] } } },
})
const pod = (name: string, set: string, state: (typeof podStates)[number], node = 'n1'): Pod => ({
  metadata: {
    name,
    namespace: 'default',
    uid: name,
    ownerReferences: owner('ReplicaSet', set),
    ...(state === 'terminating' && { deletionTimestamp: '1970-01-01T00:00:40Z', deletionGracePeriodSeconds: 30 }),
  },
  spec: {
    ...(state !== 'pending' && state !== 'waiting' && { nodeName: node }),
    ...(state === 'waiting' && { schedulingGates: [{ name: 'rollcall.dev/pacer' }] }),
    containers: [{ name: 'c', resources: { requests: { cpu: '250m', memory: '64Mi' } } }],
  },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: state === 'ready' ? 'True' : 'False' }] },
})
const workload = (state: ClusterState, nowMs = 0) =>
  buildView(state, { page: 'workload', key: 'Deployment/default/web', podsFrom: 0, podsTo: 50 }, nowMs) as WorkloadView

describe('ClusterState', () => {
  it('counts pods by revision and state, whatever arrives first', () => {
    const changes: [string, AnyObject][] = [
      ['Pod', pod('a', 'r1', 'terminating')],
      ['Pod', pod('b', 'r2', 'ready')],
      ['Pod', pod('c', 'r2', 'pending')],
      ['ReplicaSet', replicaSet('r1', 1, 'web:1')],
      ['ReplicaSet', replicaSet('r2', 2, 'web:2')],
      ['Deployment', deployment()],
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(changes, { minLength: changes.length }), (shuffled) => {
        const state = new ClusterState()
        for (const [kind, object] of shuffled) state.change(kind, 'ADDED', object, 1)
        state.flush(10)
        const { history, row } = workload(state, 10)
        const now = Object.fromEntries(history.layers.map(({ revision, state: one, values }) => [`${revision} ${one}`, values.at(-1)]))
        expect(now).toEqual({ '1 terminating': 1, '2 ready': 1, '2 pending': 1 })
        expect(row).toMatchObject({ desired: 4, cap: 5, ready: 1, pending: 1, terminating: 1 })
      }),
    )
  })

  it('counts the pods of a lost node as lost, and names the node, until it returns', () => {
    const node = (status: string): AnyObject => ({
      metadata: { name: 'n1', uid: 'n1' },
      status: { conditions: [{ type: 'Ready', status }] },
    })
    const state = new ClusterState()
    state.change('Deployment', 'ADDED', deployment(3), 0)
    state.change('ReplicaSet', 'ADDED', replicaSet('r1', 1, 'web:1'), 0)
    state.change('Node', 'ADDED', node('True'), 0)
    for (const [name, one] of Object.entries({ a: 'ready', b: 'starting', c: 'terminating' } as const))
      state.change('Pod', 'ADDED', pod(name, 'r1', one), 0)
    state.change('Pod', 'ADDED', pod('d', 'r1', 'ready', 'n2'), 0)
    state.change('Node', 'MODIFIED', node('Unknown'), 10)
    // Controllers then mark its pods as not ready.
    state.change('Pod', 'MODIFIED', pod('a', 'r1', 'starting'), 11)
    const lost = workload(state, 20_000)
    expect(lost.row).toMatchObject({ ready: 1, starting: 0, lost: 2, terminating: 1, state: 'problem', why: '3 pods: lost node n1' })
    expect(lost.waitsFor).toContain('2 pods on a lost node to be replaced, or the node to return (b: Its node n1 is lost')
    expect(lost.pods.map(({ name, state: one, reason }) => [name, one, reason])).toEqual([
      ['c', 'terminating', 'Terminating for 10s of 30s, on the lost node n1: it stays until the node returns or is deleted'],
      ['a', 'lost', 'Its node n1 is lost: whether it runs is not known'],
      ['b', 'lost', 'Its node n1 is lost: whether it runs is not known'],
      ['d', 'ready', ''],
    ])
    expect((buildView(state, { page: 'overview' }, 0) as OverviewView).nodes).toEqual({ total: 1, lost: ['n1'] })
    state.change('Node', 'MODIFIED', node('True'), 30)
    expect(workload(state, 30).row).toMatchObject({
      ready: 1,
      starting: 2,
      lost: 0,
      terminating: 1,
      why: expect.not.stringContaining('lost'),
    })
    state.change('Node', 'DELETED', node('True'), 40)
    expect(workload(state, 40).row).toMatchObject({ ready: 1, lost: 2, terminating: 1 })
  })

  it('agrees with a count of all pods after any changes', () => {
    const change = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      set: fc.constantFrom('r1', 'r2'),
      // Whether a pod is lost is a matter of its node.
      state: fc.constantFrom(...podStates.filter((one) => one !== 'lost')),
      isDeleted: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const state = new ClusterState()
        state.change('Deployment', 'ADDED', deployment(), 0)
        for (const [index, set] of ['r1', 'r2'].entries()) state.change('ReplicaSet', 'ADDED', replicaSet(set, index + 1, set), 0)
        const present = new Map<string, Pod>()
        for (const { name, set, state: podState, isDeleted } of changes) {
          const object = pod(name, present.get(name)?.metadata.ownerReferences?.[0]?.uid ?? set, podState)
          if (isDeleted) present.delete(name)
          else present.set(name, object)
          state.change('Pod', isDeleted ? 'DELETED' : 'MODIFIED', object, 0)
        }
        const counted = noPods()
        for (const one of present.values()) counted[stateOf(one)!]++
        expect(countsByState(state.countsOf(state.workloads.get('Deployment/default/web')!))).toEqual(counted)
      }),
    )
  })

  it('forgets with a new list what is no longer there', () => {
    const state = new ClusterState()
    state.list('Pod', [pod('a', 'r1', 'ready'), pod('b', 'r1', 'ready')], 0)
    state.list('Pod', [pod('b', 'r1', 'ready')], 1)
    expect([...(state.owners.get('r1')?.pods.keys() ?? [])]).toEqual(['b'])
  })

  it('keeps the events of pods that have gone, and changes of conditions', () => {
    const state = new ClusterState()
    state.change('ReplicaSet', 'ADDED', replicaSet('r1', 1, 'web:1'), 0)
    state.change('Deployment', 'ADDED', deployment(4, [{ type: 'Progressing', status: 'True' }]), 0)
    state.change('Pod', 'ADDED', pod('a', 'r1', 'ready'), 0)
    state.change('Pod', 'DELETED', pod('a', 'r1', 'ready'), 1)
    const event = {
      metadata: { name: 'e', uid: 'e' },
      reason: 'Killing',
      message: 'Stopping',
      involvedObject: { kind: 'Pod', name: 'a', uid: 'a' },
      lastTimestamp: '1970-01-01T00:00:02Z',
    }
    state.change('Event', 'ADDED', event as AnyObject, 2)
    state.change(
      'Deployment',
      'MODIFIED',
      deployment(4, [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }]),
      3000,
    )
    expect(workload(state).marks).toEqual([
      { atMs: 2000, type: 'event', isWarning: false, object: 'Pod/a', text: 'Killing: Stopping' },
      { atMs: 3000, type: 'condition', isWarning: true, object: 'Deployment/web', text: 'Progressing is False: ProgressDeadlineExceeded' },
    ])
    expect(workload(state).row).toMatchObject({ state: 'problem', text: 'Not progressing', why: 'ProgressDeadlineExceeded' })
  })

  it('shows revisions with their differences', () => {
    const state = new ClusterState()
    for (const [set, revision, image] of [
      ['r1', 1, 'web:1'],
      ['r2', 2, 'web:2'],
    ] as const)
      state.change('ReplicaSet', 'ADDED', replicaSet(set, revision, image), 0)
    state.change('Deployment', 'ADDED', deployment(), 0)
    expect(workload(state).revisions).toMatchObject([
      { revision: 2, isCurrent: true, differences: [{ path: 'spec.containers[c].image', before: 'web:1', after: 'web:2' }] },
      { revision: 1, isCurrent: false, differences: [] },
    ])
  })

  it('says what a workload waits for', () => {
    const state = new ClusterState()
    state.change('ReplicaSet', 'ADDED', replicaSet('r1', 1, 'web:1'), 0)
    state.change('Deployment', 'ADDED', deployment(), 0)
    for (const [name, one] of [
      ['a', 'terminating'],
      ['b', 'ready'],
      ['c', 'ready'],
      ['d', 'ready'],
    ] as const)
      state.change('Pod', 'ADDED', pod(name, 'r1', one), 0)
    expect(workload(state, 20_000).waitsFor).toBe('Waits for 1 pod to terminate (a: Terminating for 10s of 30s).')
    expect(workload(state, 50_000).waitsFor).toContain('Terminating for 40s, 10s beyond its grace period of 30s')
  })

  it('says which gate holds a pod, and for whom it waits', () => {
    const state = new ClusterState()
    state.change('ReplicaSet', 'ADDED', replicaSet('r1', 1, 'web:1'), 0)
    state.change('Deployment', 'ADDED', deployment(), 0)
    state.change('Pod', 'ADDED', pod('new', 'r1', 'waiting'), 0)
    expect(workload(state).row).toMatchObject({
      waiting: 1,
      pending: 0,
      state: 'waiting',
      text: 'Waiting',
      why: '1 pod held by a scheduling gate',
    })
    expect(workload(state).pods).toMatchObject([
      {
        state: 'waiting',
        reason: 'Held by gate rollcall.dev/pacer, until the pacer admits it: there is no room under the cap, or no pacer runs',
      },
    ])
    state.change('Pod', 'ADDED', pod('old', 'r1', 'terminating'), 0)
    expect(workload(state, 20_000)).toMatchObject({
      waitsFor: 'Waits for 1 pod to terminate (old: Terminating for 10s of 30s), and for rollcall.dev/pacer to admit 1 pod.',
      pods: [{ name: 'old' }, { name: 'new', reason: 'Held by gate rollcall.dev/pacer, until a terminating pod has terminated: old' }],
    })
    const other = pod('new', 'r1', 'waiting')
    state.change('Pod', 'MODIFIED', { ...other, spec: { ...other.spec, schedulingGates: [{ name: 'example.com/quota' }] } } as AnyObject, 0)
    expect(workload(state).pods.at(-1)).toMatchObject({ reason: 'Held by gate example.com/quota, until its owner removes it' })
  })

  it('counts terminating pods of a ReplicaSet that was deleted under its Deployment', () => {
    const state = new ClusterState()
    state.change('Deployment', 'ADDED', deployment(), 0)
    state.change('ReplicaSet', 'ADDED', replicaSet('r1', 1, 'web:1'), 0)
    state.change('Pod', 'ADDED', pod('a', 'r1', 'terminating'), 0)
    state.change('ReplicaSet', 'DELETED', replicaSet('r1', 1, 'web:1'), 1)
    expect(workload(state).row).toMatchObject({ terminating: 1 })
    state.change('Pod', 'DELETED', pod('a', 'r1', 'terminating'), 2)
    expect(workload(state)).toMatchObject({ row: { terminating: 0 }, revisions: [] })
    expect(state.owners.size).toBe(0)
  })

  it('knows how long pods took to start and to stop, where it saw both ends', () => {
    const state = new ClusterState()
    state.change('Deployment', 'ADDED', deployment(), 0)
    state.change('ReplicaSet', 'ADDED', replicaSet('r1', 1, 'web:1'), 0)
    state.list('Pod', [pod('there', 'r1', 'starting')], 0)
    state.change('Pod', 'ADDED', pod('a', 'r1', 'starting'), 1000)
    state.change('Pod', 'MODIFIED', pod('there', 'r1', 'ready'), 9000)
    state.change('Pod', 'MODIFIED', pod('a', 'r1', 'ready'), 4000)
    state.change('Pod', 'MODIFIED', pod('a', 'r1', 'terminating'), 5000)
    state.change('Pod', 'DELETED', pod('a', 'r1', 'terminating'), 12_000)
    expect(workload(state).rollout).toMatchObject({ startMs: 3000, stopMs: 7000 })
  })

  it('has the workload as it was before its last rollout', () => {
    const state = new ClusterState()
    state.change('Deployment', 'ADDED', deployment(), 0)
    state.change('ReplicaSet', 'ADDED', replicaSet('r1', 1, 'web:1'), 0)
    expect(workload(state).rollout).toMatchObject({ before: undefined })
    state.change('ReplicaSet', 'ADDED', replicaSet('r2', 2, 'web:2'), 0)
    expect(workload(state).rollout).toMatchObject({
      before: { kind: 'Deployment', spec: { replicas: 4, template: { spec: { containers: [{ image: 'web:1' }] } } } },
    })
  })

  it('lists what runs on a node, with the workload of each pod', () => {
    const state = new ClusterState()
    state.change('Deployment', 'ADDED', deployment(), 0)
    state.change('ReplicaSet', 'ADDED', replicaSet('r1', 1, 'web:1'), 0)
    state.change('Pod', 'ADDED', pod('a', 'r1', 'ready'), 0)
    state.change('Pod', 'ADDED', pod('b', 'r1', 'ready', 'n2'), 0)
    expect(buildView(state, { page: 'node', name: 'n1', podsFrom: 0, podsTo: 9 }, 0)).toMatchObject({
      node: undefined,
      podCount: 1,
      pods: [{ name: 'a', workload: 'Deployment/default/web' }],
    })
  })

  it('sums what runs on a node, terminating pods included', () => {
    const state = new ClusterState()
    state.change(
      'Node',
      'ADDED',
      {
        metadata: { name: 'n1', uid: 'n1' },
        status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
      },
      0,
    )
    for (const [name, one] of [
      ['a', 'terminating'],
      ['b', 'ready'],
    ] as const)
      state.change('Pod', 'ADDED', pod(name, 'r1', one), 0)
    expect((buildView(state, { page: 'nodes' }, 0) as NodesView).nodes).toEqual([
      {
        name: 'n1',
        isReady: true,
        isUnschedulable: false,
        taints: [],
        pods: { ...noPods(), ready: 1, terminating: 1 },
        podLimit: 110,
        cpu: [0.5, 4],
        memory: [128 * 1024 * 1024, 8 * 1024 ** 3],
      },
    ])
  })

  it('lists problems first', () => {
    const state = new ClusterState()
    const named = (name: string, conditions: object[], replicas = 0): AnyObject => ({
      ...deployment(replicas, conditions),
      metadata: { name, namespace: 'default', uid: name },
    })
    state.change('Deployment', 'ADDED', named('a', []), 0)
    state.change('Deployment', 'ADDED', named('z', [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }], 1), 0)
    expect((buildView(state, { page: 'overview' }, 0) as OverviewView).workloads.map(({ name, state: one }) => [name, one])).toEqual([
      ['z', 'problem'],
      ['a', 'idle'],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import type { KubernetesObject, PodDisruptionBudget, Stored } from '../../api/types.ts'
import { explain } from './explain.ts'
import type { Surroundings } from './explanation.ts'
import { deleted, minutesAgo, node, notReady, owner, pod, surroundings, template, warning } from './testing/explained-objects.ts'

const workload = (kind: string, spec: object, status: object = {}, metadata: object = {}) =>
  [
    kind,
    {
      metadata: {
        name: 'w',
        namespace: 'n',
        uid: 'w',
        resourceVersion: '1',
        generation: 1,
        creationTimestamp: minutesAgo(60),
        ...metadata,
      },
      spec: { selector: { matchLabels: { app: 'web' } }, template: template('a:1'), ...spec },
      status: { observedGeneration: 1, ...status },
    } as Stored<KubernetesObject>,
  ] as const

const causeOf = ([kind, object]: ReturnType<typeof workload>, given: Partial<Surroundings>) =>
  explain(kind, object, surroundings(given))!.cause

const revision = (kind: string, hash: string, number: number, image: string) =>
  ({
    metadata: {
      name: `w-${hash}`,
      namespace: 'n',
      uid: hash,
      resourceVersion: '1',
      labels: { 'controller-revision-hash': hash },
      ownerReferences: owner(kind, 'w'),
    },
    data: { spec: { template: { ...template(image), $patch: 'replace' } } },
    revision: number,
  }) as never

const quota = 'pods "w-1" is forbidden: exceeded quota: few'
const backOff = {
  ...notReady,
  phase: 'Pending',
  containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "a"' } } }],
}
const budget: Stored<PodDisruptionBudget> = {
  metadata: { name: 'b', namespace: 'n', uid: 'b', resourceVersion: '1' },
  spec: { selector: { matchLabels: { app: 'web' } } },
  status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
} as never

type Case = [string, ReturnType<typeof workload>, Partial<Surroundings>, RegExp]

describe('explain()', () => {
  const set = (spec: object = {}, status: object = {}) => workload('ReplicaSet', { replicas: 2, ...spec }, status)
  const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: quota }
  it.each<Case>([
    ['a complete one', set(), { pods: [pod('a', 'w'), pod('b', 'w')] }, /^it is complete$/],
    ['the next step', set(), { pods: [pod('a', 'w')] }, /^it is about to create 1 pod$/],
    ['a surplus', set({ replicas: 1 }), { pods: [pod('a', 'w'), pod('b', 'w', { status: notReady })] }, /waits for 1 unavailable pod: b/],
    ['a quota', set({}, { conditions: [failure] }), { pods: [pod('a', 'w')] }, /^FailedCreate: .*exceeded quota: few$/],
    ['no controller', set({}, { observedGeneration: 0 }), {}, /^the ReplicaSet controller has not observed generation 1/],
    [
      'a terminating pod that is not replaced yet',
      set({ terminatingAsActive: true }),
      { pods: [pod('a', 'w'), pod('b', 'w', deleted(5, 30))] },
      /^it waits for 1 terminating pod: b \(25s of its grace period of 30s are left; deleted 5s ago\)$/,
    ],
    ['a pod to adopt', set(), { pods: [pod('a', 'w'), pod('b', 'w', { metadata: { ownerReferences: [] } })] }, /about to adopt pod b$/],
  ])('of a ReplicaSet names %s', (_name, object, given, cause) => expect(causeOf(object, given)).toMatch(cause))

  const stateful = (spec: object = {}, status: object = {}) => workload('StatefulSet', { replicas: 2, serviceName: 's', ...spec }, status)
  const replica = (ordinal: number, hash: string, more: Parameters<typeof pod>[2] = {}) =>
    pod(`w-${ordinal}`, 'w', {
      ...more,
      kind: 'StatefulSet',
      metadata: {
        labels: { app: 'web', 'controller-revision-hash': hash, 'statefulset.kubernetes.io/pod-name': `w-${ordinal}` },
        ...more.metadata,
      },
    })
  const revisions = [revision('StatefulSet', 'old', 1, 'a:0'), revision('StatefulSet', 'new', 2, 'a:1')]
  it.each<Case>([
    ['a complete one', stateful(), { revisions, pods: [replica(0, 'w-new'), replica(1, 'w-new')] }, /^it is complete$/],
    ['the next pod', stateful(), { revisions, pods: [replica(0, 'w-new')] }, /^it is about to create pod w-1$/],
    [
      'the next pod of a rollout',
      stateful(),
      { revisions, pods: [replica(0, 'w-old'), replica(1, 'w-new')] },
      /^it is about to delete pod w-0$/,
    ],
    [
      'the pod that holds up the others',
      stateful(),
      { revisions, pods: [replica(0, 'w-new', { status: backOff })] },
      /^it waits for 1 unavailable pod: w-0 \(container c: ImagePullBackOff: Back-off pulling image "a"\)$/,
    ],
    [
      'the terminating pod whose name the next one has',
      stateful(),
      { revisions, pods: [replica(0, 'w-new'), replica(1, 'w-old', deleted(90, 30, { finalizers: ['x/y'] }))] },
      /^it waits for 1 terminating pod: w-1 \(kept by finalizer x\/y; its grace period ended 60s ago/,
    ],
    [
      'the same when its containers have ended',
      stateful(),
      {
        revisions,
        pods: [replica(0, 'w-new'), replica(1, 'w-old', { ...deleted(90, 30, { finalizers: ['x/y'] }), status: { phase: 'Failed' } })],
      },
      /^it waits for 1 terminating pod: w-1 \(kept by finalizer x\/y; its containers have ended; deleted 90s ago\)$/,
    ],
    [
      'a quota, by the Event of its controller',
      stateful(),
      { revisions, pods: [replica(0, 'w-new')], warnings: [warning('w', 'FailedCreate', quota)] },
      /^FailedCreate: .*exceeded quota: few$/,
    ],
    [
      'a partition',
      stateful({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }),
      { revisions, pods: [replica(0, 'w-old'), replica(1, 'w-new')] },
      /^it is complete; 1 older pod stays below partition 1$/,
    ],
  ])('of a StatefulSet names %s', (_name, object, given, cause) => expect(causeOf(object, given)).toMatch(cause))

  const daemon = (spec: object = {}, status: object = {}) =>
    workload('DaemonSet', { updateStrategy: { type: 'RollingUpdate' }, ...spec }, status)
  const onNode = (name: string, hash: string, more: Parameters<typeof pod>[2] = {}) =>
    pod(`w-${name}`, 'w', {
      ...more,
      kind: 'DaemonSet',
      metadata: { labels: { app: 'web', 'controller-revision-hash': hash }, ...more.metadata },
      spec: { nodeName: name },
    })
  const history = [revision('DaemonSet', 'old', 1, 'a:0'), revision('DaemonSet', 'new', 2, 'a:1')]
  const nodes = [node(), node('True', {}, 'n2')]
  it.each<Case>([
    ['a complete one', daemon(), { revisions: history, nodes, pods: [onNode('n1', 'new'), onNode('n2', 'new')] }, /^it is complete$/],
    ['the next pod', daemon(), { revisions: history, nodes, pods: [onNode('n1', 'new')] }, /^it is about to create 1 pod on node n2$/],
    [
      'a terminating pod that its replacement waits for',
      daemon(),
      { revisions: history, nodes, pods: [onNode('n1', 'new'), onNode('n2', 'old', deleted(5, 30))] },
      /^it waits for 1 terminating pod: w-n2 \(25s of its grace period/,
    ],
    [
      'a probe, by the Event of the kubelet',
      daemon(),
      {
        revisions: history,
        nodes,
        pods: [onNode('n1', 'new'), onNode('n2', 'new', { status: notReady })],
        warnings: [warning('w-n2', 'Unhealthy', 'Readiness probe failed: statuscode: 500')],
      },
      /^it waits for 1 unavailable pod: w-n2 \(Unhealthy: Readiness probe failed: statuscode: 500\)$/,
    ],
    [
      'OnDelete',
      daemon({ updateStrategy: { type: 'OnDelete' } }),
      { revisions: history, nodes, pods: [onNode('n1', 'new'), onNode('n2', 'old')] },
      /^it is complete; 1 older pod stays until deleted, because of updateStrategy OnDelete$/,
    ],
  ])('of a DaemonSet names %s', (_name, object, given, cause) => expect(causeOf(object, given)).toMatch(cause))

  const job = (spec: object = {}, status: object = {}) => workload('Job', { completions: 2, parallelism: 2, ...spec }, status)
  const tracked = { finalizers: ['batch.kubernetes.io/job-tracking'] }
  const task = (name: string, more: Parameters<typeof pod>[2] = {}) =>
    pod(name, 'w', { ...more, kind: 'Job', metadata: { ...tracked, ...more.metadata } })
  it.each<Case>([
    ['a running one', job(), { pods: [task('a'), task('b')] }, /^it runs: 2 active pods, 0 of 2 succeeded$/],
    ['the next pods', job(), {}, /^it is about to create 2 pods$/],
    [
      'the terminating pod that is not replaced before',
      job({ podReplacementPolicy: 'Failed' }),
      { pods: [task('a'), task('b', deleted(5, 30, tracked))] },
      /^it waits for 1 terminating pod: b \(25s of its grace/,
    ],
    [
      'an unschedulable pod',
      job(),
      {
        pods: [
          task('a'),
          task('b', {
            spec: { nodeName: undefined },
            status: {
              phase: 'Pending',
              conditions: [
                { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' },
              ],
            },
          }),
        ],
      },
      /^it waits for 1 unavailable pod: b \(Unschedulable: 0\/1 nodes are available: 1 Insufficient cpu\.\)$/,
    ],
    [
      'a back-off',
      job({}, { failed: 1, startTime: minutesAgo(1) }),
      {
        pods: [
          task('a'),
          task('b', {
            metadata: { finalizers: [], deletionTimestamp: undefined },
            status: {
              phase: 'Failed',
              ...notReady,
              containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 1, finishedAt: '2026-11-18T11:59:57Z' } } }],
            },
          }),
        ],
      },
      /^it creates the next pod in 7s, after 1 failed pod$/,
    ],
    ['a suspension', job({ suspend: true }), {}, /^it is suspended: spec.suspend false continues it$/],
    [
      'a quota',
      job(),
      { pods: [task('a')], warnings: [warning('w', 'FailedCreate', `Error creating: ${quota}`)] },
      /^FailedCreate: Error creating: .*exceeded quota/,
    ],
    [
      'its failure',
      job({}, { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'too many' }] }),
      {},
      /^it has failed: BackoffLimitExceeded: too many$/,
    ],
  ])('of a Job names %s', (_name, object, given, cause) => expect(causeOf(object, given)).toMatch(cause))

  it.each<[string, ReturnType<typeof pod>, Partial<Surroundings>, RegExp]>([
    ['a ready one', pod('p', 'w'), {}, /^it is ready$/],
    [
      'a budget',
      pod('p', 'w'),
      { budgets: [budget] },
      /^it is ready; PodDisruptionBudget b allows no eviction now: 1 of 1 pods are healthy, and 1 must be$/,
    ],
    ['a finalizer', pod('p', 'w', deleted(90, 30, { finalizers: ['x/y'] })), {}, /^it is terminating: kept by finalizer x\/y; /],
    [
      'a finalizer after its end',
      pod('p', 'w', { ...deleted(90, 30, { finalizers: ['x/y'] }), status: { phase: 'Failed' } }),
      {},
      /^it is terminating: kept by finalizer x\/y; its containers have ended; deleted 90s ago$/,
    ],
    ['an image', pod('p', 'w', { status: backOff }), {}, /^it is unavailable: container c: ImagePullBackOff/],
    [
      'a mount',
      pod('p', 'w', { status: notReady }),
      { warnings: [warning('p', 'FailedMount', 'no such secret')] },
      /^it is unavailable: FailedMount: no such secret$/,
    ],
    [
      'its end',
      pod('p', 'w', { status: { phase: 'Failed', reason: 'Evicted', message: 'low on memory' } }),
      {},
      /^it has failed: Evicted: low on memory$/,
    ],
  ])('of a pod names %s', (_name, object, given, cause) =>
    expect(explain('Pod', object, surroundings({ pods: [object], ...given }))!.cause).toMatch(cause),
  )

  it('names the controllers of a pod, and the counts of the others', () => {
    const sets = [
      { metadata: { name: 'w', namespace: 'n', uid: 'w', resourceVersion: '1', ownerReferences: owner('Deployment', 'd') } } as never,
    ]
    const one = pod('p', 'w')
    expect(explain('Pod', one, surroundings({ pods: [one], replicaSets: sets }))?.account).toBe(
      'phase Running, ready; on node n1; of ReplicaSet w of Deployment d',
    )
    expect(explain(...set(), surroundings({ pods: [one, pod('q', 'w', deleted(5, 30))] }))?.account).toBe(
      'size 2; 2 pods: 1 ready, 1 terminating',
    )
    expect(explain(...stateful(), surroundings({ revisions, pods: [replica(0, 'w-old')] }))?.account).toBe(
      '2 replicas; 1 pod: 1 ready, 0 terminating, 1 of an older revision',
    )
    expect(explain(...daemon(), surroundings({ revisions: history, nodes, pods: [onNode('n1', 'old')] }))?.account).toBe(
      '2 nodes should run it; 1 pod: 1 ready, 0 terminating, 1 of an older revision',
    )
    expect(explain(...job({ podReplacementPolicy: 'Failed' }), surroundings({ pods: [task('a')] }))?.account).toBe(
      '0 of 2 succeeded, 0 failed (backoffLimit 6); 1 active pod of 2, 1 ready, 0 terminating; a pod is replaced when it has terminated',
    )
  })
})

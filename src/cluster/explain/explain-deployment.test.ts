import { describe, expect, it } from 'vitest'
import type { Deployment, Pod, PodDisruptionBudget, ReplicaSet, Stored } from '../../api/types.ts'
import { requestMark } from '../../controllers/eviction/plan/eviction-marks.ts'
import { explainDeployment } from './explain-deployment.ts'
import type { Surroundings } from './explanation.ts'
import { deleted, minutesAgo, node, notReady, owner, pod, surroundings, template } from './testing/explained-objects.ts'

type Source = Partial<Surroundings> & { readonly deployment?: Stored<Deployment> }

const deployment = (spec: object = {}, status: object = {}): Stored<Deployment> =>
  ({
    metadata: { name: 'web', namespace: 'n', uid: 'd', resourceVersion: '1', generation: 1, creationTimestamp: minutesAgo(60) },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      progressDeadlineSeconds: 600,
      template: template('a:2'),
      ...spec,
    },
    status: { observedGeneration: 1, ...status },
  }) as never

const set = (name: string, image: string, size: number, status: object = {}): Stored<ReplicaSet> =>
  ({
    metadata: {
      name,
      namespace: 'n',
      uid: name,
      resourceVersion: '1',
      generation: 1,
      ownerReferences: owner('Deployment', 'd'),
      labels: { app: 'web' },
      creationTimestamp: minutesAgo(image === 'a:1' ? 50 : 5),
      annotations: { 'deployment.kubernetes.io/desired-replicas': '2', 'deployment.kubernetes.io/max-replicas': '3' },
    },
    spec: { replicas: size, selector: { matchLabels: { app: 'web' } }, template: template(image) },
    status: { observedGeneration: 1, replicas: size, readyReplicas: size, availableReplicas: size, terminatingReplicas: 0, ...status },
  }) as never

const explain = ({ deployment: given = deployment(), ...source }: Source) => explainDeployment(given, surroundings(source))

const done = [set('web-2', 'a:2', 2)]
const two = [pod('p1', 'web-2'), pod('p2', 'web-2')]
const complete = { podReplacementPolicy: 'TerminationComplete' }
/** A rollout with one new pod. */
const halfway = (first: Stored<Pod>): Source => ({
  replicaSets: [set('web-1', 'a:1', 2), set('web-2', 'a:2', 1, { readyReplicas: 0, availableReplicas: 0 })],
  pods: [first, pod('old-1', 'web-1'), pod('old-2', 'web-1')],
})
const budget: Stored<PodDisruptionBudget> = {
  metadata: { name: 'web', namespace: 'n', uid: 'b', resourceVersion: '1' },
  spec: { selector: { matchLabels: { app: 'web' } } },
  status: { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 2 },
} as never

describe('explainDeployment()', () => {
  it.each<[string, Source, RegExp]>([
    ['a complete Deployment', { replicaSets: done, pods: two }, /^it is complete$/],
    [
      'no controller',
      { deployment: deployment({}, { observedGeneration: 0 }), replicaSets: done, pods: two },
      /has not observed generation 1 yet \(it has observed 0\)/,
    ],
    [
      'a pod that has not terminated, and its finalizer',
      { replicaSets: done, pods: [...two, pod('old', 'web-2', deleted(90, 30, { finalizers: ['x/y'] }))] },
      /it is complete; 1 terminating pod still exists: old \(kept by finalizer x\/y; its grace period ended 60s ago; deleted 90s ago\)/,
    ],
    [
      'a lost node',
      { replicaSets: done, pods: [...two, pod('old', 'web-2', deleted(90, 30))], nodes: [node('Unknown')] },
      /old \(node n1 is not ready: NodeStatusUnknown; /,
    ],
    [
      'a terminating pod that takes the room',
      {
        deployment: deployment({ ...complete, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }),
        replicaSets: [set('web-1', 'a:1', 1, { terminatingReplicas: 1 })],
        pods: [pod('old-1', 'web-1'), pod('old-2', 'web-1', deleted(10, 30))],
      },
      /it waits for 1 terminating pod: old-2 \(20s of its grace period of 30s are left; deleted 10s ago\)/,
    ],
    [
      'an image that cannot be pulled',
      halfway(
        pod('new', 'web-2', {
          status: {
            ...notReady,
            containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "a:2"' } } }],
          },
        }),
      ),
      /it waits for 1 unavailable pod: new \(container c: ImagePullBackOff: Back-off pulling image "a:2"\)/,
    ],
    [
      'the pacer',
      halfway(pod('new', 'web-2', { spec: { nodeName: undefined, schedulingGates: [{ name: 'rollcall.dev/pacer' }] }, status: notReady })),
      /new \(held back by scheduling gate rollcall.dev\/pacer\)/,
    ],
    [
      'minReadySeconds',
      { ...halfway(pod('new', 'web-2')), deployment: deployment({ minReadySeconds: 900 }) },
      /new \(ready, and available after minReadySeconds 900\)/,
    ],
    [
      'a paused rollout',
      { ...halfway(pod('new', 'web-2')), deployment: deployment({ paused: true }) },
      /^it is paused in the middle of a rollout/,
    ],
    [
      'a budget',
      { replicaSets: done, pods: two, budgets: [budget] },
      /^it is complete; PodDisruptionBudget web allows no eviction now: 2 of 2 pods are healthy, and 2 must be$/,
    ],
    [
      'a budget that blocks a drain',
      { replicaSets: done, pods: two, budgets: [budget], nodes: [node('True', { unschedulable: true })] },
      /the drain of node n1 waits: PodDisruptionBudget web/,
    ],
    [
      'an eviction that waits',
      {
        replicaSets: done,
        pods: two.map((one) => ({ ...one, metadata: { ...one.metadata, annotations: { ...requestMark(Date.now()) } as never } })),
        nodes: [node('True', { unschedulable: true })],
      },
      /the drain of node n1 waits: the eviction of pod \S+ is waiting until Deployment web has room for a replacement of the pod$/,
    ],
    [
      'a refusal',
      {
        replicaSets: [
          set('web-2', 'a:2', 2, {
            conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota: few' }],
          }),
        ],
      },
      /^ReplicaSet web-2: FailedCreate: exceeded quota: few$/,
    ],
    [
      'the next step',
      { replicaSets: [set('web-1', 'a:1', 2)], pods: [pod('old-1', 'web-1'), pod('old-2', 'web-1')] },
      /^it is about to create ReplicaSet web-\w+ with 1 replicas$/,
    ],
  ])('names %s', (_name, source, expected) => expect(explain(source).cause).toMatch(expected))

  it('says what TerminationComplete and the pacer would do where the Deployment has no policy', () => {
    const pods = [pod('old-1', 'web-1'), pod('old-2', 'web-1'), pod('old-3', 'web-1', deleted(5, 30))]
    const found = explain({ replicaSets: [set('web-1', 'a:1', 2, { terminatingReplicas: 1 })], pods })
    expect(found.next[0]).toMatch(/^create ReplicaSet web-\w+ with 1 replicas$/)
    expect(found.underTerminationComplete?.next[0]).toMatch(/^create ReplicaSet web-\w+ with 0 replicas$/)
    expect(found.underTerminationComplete?.account).toMatch(/^cap 3 = 2 \+ 1; 3 pods may exist: 2 ready, 1 terminating; room 0/)
    expect(found.underTerminationComplete?.admittedByPacer).toBe(0)
  })

  it('has the reasons as data and as the sentence of the log', () => {
    const { reasons, account } = explain({ deployment: deployment(complete), replicaSets: [set('web-1', 'a:1', 2)], pods: [] })
    expect(reasons).toMatchObject({
      policy: 'TerminationComplete',
      replicas: 2,
      surge: 1,
      pods: 2,
      ready: 2,
      terminating: 0,
      room: 1,
      scale: 'none',
    })
    expect(account).toMatch(/^cap 3 = 2 \+ 1; 2 pods may exist: 2 ready, 0 terminating; room 1; web-\w+ 0 → 1$/)
  })
})

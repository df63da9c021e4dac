import { describe, expect, it } from 'vitest'
import type { DaemonSet } from '../../../api/types.ts'
import { ago, nodeOf, nowMs, rolling, setOf, snapshotOf } from '../testing/sample-objects.ts'
import { planDaemonSet } from './plan.ts'

type Spec = Partial<NonNullable<DaemonSet['spec']>>
const away = nodeOf('away', { taints: [{ key: 'k', effect: 'NoSchedule' }] })
/** As the node lifecycle controller taints a node that no longer reports. */
const unreachable = nodeOf('lost', {
  taints: [
    { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
    { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' },
  ],
})
const none = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }

describe('planDaemonSet(): the status', () => {
  const rows: { name: string; spec?: Spec; nodes?: readonly (string | typeof away)[]; pods: readonly string[]; status: object }[] = [
    { name: 'no nodes', nodes: [], pods: [], status: {} },
    { name: 'nodes without pods', pods: [], status: { desiredNumberScheduled: 2, numberUnavailable: 2 } },
    {
      name: 'pods by state',
      pods: ['n1 new ready', 'n2 old running'],
      status: {
        desiredNumberScheduled: 2,
        currentNumberScheduled: 2,
        numberReady: 1,
        numberAvailable: 1,
        updatedNumberScheduled: 1,
        numberUnavailable: 1,
      },
    },
    {
      name: 'ready, not available yet',
      spec: { minReadySeconds: 9 },
      pods: ['n1 new ready', 'n2 new fresh'],
      status: {
        desiredNumberScheduled: 2,
        currentNumberScheduled: 2,
        numberReady: 2,
        numberAvailable: 1,
        updatedNumberScheduled: 2,
        numberUnavailable: 1,
      },
    },
    {
      name: 'a pod where none should be',
      nodes: ['n1', away],
      pods: ['n1 new ready', 'away new ready'],
      status: {
        desiredNumberScheduled: 1,
        currentNumberScheduled: 1,
        numberMisscheduled: 1,
        numberReady: 1,
        numberAvailable: 1,
        updatedNumberScheduled: 1,
      },
    },
    {
      name: 'the oldest pod stands for its node',
      spec: rolling({ maxSurge: 1, maxUnavailable: 0 }),
      nodes: ['n1'],
      pods: ['n1 new running young', 'n1 old ready'],
      status: { desiredNumberScheduled: 1, currentNumberScheduled: 1, numberReady: 1, numberAvailable: 1 },
    },
    { name: 'pods of deleted nodes do not count', nodes: [], pods: ['n1 new ready'], status: {} },
  ]
  for (const { name, spec, nodes = ['n1', 'n2'], pods, status } of rows)
    it(name, () =>
      expect(planDaemonSet(snapshotOf(setOf(spec), nodes, pods)).status).toEqual({ ...none, observedGeneration: 1, ...status }),
    )

  it('keeps the collision count', () => {
    const { status } = planDaemonSet(snapshotOf(setOf({}, { collisionCount: 2 }), [], []))
    expect(status).toMatchObject({ observedGeneration: 1, collisionCount: 2 })
  })

  it('requeues for the moment the next pod becomes available', () => {
    expect(planDaemonSet(snapshotOf(setOf({ minReadySeconds: 70 }), ['n1'], ['n1 new ready'])).requeueAtMs).toBe(nowMs + 10_000)
  })
})

describe('planDaemonSet(): conditions (KEP-2804)', () => {
  const short = (spec: Spec, nodes: readonly (string | typeof away)[], pods: readonly string[], status: object = {}) =>
    Object.fromEntries(
      (planDaemonSet(snapshotOf(setOf(spec, status), nodes, pods, { conditions: true })).status.conditions ?? []).map((one) => [
        one.type,
        `${one.status} ${one.reason}`,
      ]),
    )
  const complete = {
    type: 'Progressing',
    status: 'True',
    reason: 'NewRevisionAvailable',
    message: 'Revision "a-new" has successfully progressed.',
    lastUpdateTime: ago(50),
    lastTransitionTime: ago(50),
  }
  const rollout = { ...complete, reason: 'RevisionUpdated', message: 'Revision "a-new" is progressing.' }
  const seen = (condition: object, counts: object) => ({ observedGeneration: 1, conditions: [condition], ...counts })
  const rows: {
    name: string
    spec?: Spec
    nodes?: readonly (string | typeof away)[]
    pods: readonly string[]
    status?: object
    progressing: string
    operational: boolean
  }[] = [
    { name: 'new', pods: [], progressing: 'True NewRevisionCreated', operational: false },
    { name: 'complete', pods: ['n1 new ready', 'n2 new ready'], progressing: 'True NewRevisionAvailable', operational: true },
    { name: 'no nodes', nodes: [], pods: [], progressing: 'True NewRevisionAvailable', operational: true },
    {
      name: 'one of two available, one required',
      spec: { operationalThreshold: 1 },
      pods: ['n1 new ready'],
      progressing: 'True NewRevisionCreated',
      operational: true,
    },
    {
      name: 'one of two available, half required',
      spec: { operationalThreshold: '50%' },
      pods: ['n1 new ready'],
      progressing: 'True NewRevisionCreated',
      operational: true,
    },
    { name: 'an old pod is left', pods: ['n1 new ready', 'n2 old ready'], progressing: 'True NewRevisionCreated', operational: true },
    {
      name: 'an old pod beside a new one is left',
      spec: rolling({ maxSurge: 1, maxUnavailable: 0 }),
      pods: ['n1 new ready', 'n2 new ready', 'n2 old ready terminating young'],
      progressing: 'True NewRevisionCreated',
      operational: true,
    },
    {
      name: 'a misplaced pod is left',
      nodes: ['n1', nodeOf('away', { taints: [{ key: 'k', effect: 'NoExecute' }] })],
      pods: ['n1 new ready', 'away new ready'],
      progressing: 'True NewRevisionCreated',
      operational: true,
    },
    {
      name: 'a new pod stays on a node that takes no others',
      nodes: ['n1', away],
      pods: ['n1 new ready', 'away new ready'],
      progressing: 'True NewRevisionAvailable',
      operational: true,
    },
    {
      name: 'an old pod is left on a node that takes no others',
      nodes: ['n1', away],
      pods: ['n1 new ready', 'away old ready'],
      progressing: 'True NewRevisionCreated',
      operational: true,
    },
    {
      name: 'not available later: the rollout stays complete',
      pods: ['n1 new ready', 'n2 new running'],
      status: seen(complete, { desiredNumberScheduled: 2 }),
      progressing: 'True NewRevisionAvailable',
      operational: false,
    },
    {
      name: 'a node is added later: the rollout stays complete, whatever the deadline',
      spec: { progressDeadlineSeconds: 40 },
      pods: ['n1 new ready'],
      status: seen(complete, { desiredNumberScheduled: 1 }),
      progressing: 'True NewRevisionAvailable',
      operational: false,
    },
    {
      name: 'a node is added and the spec changes, but not the template',
      spec: { progressDeadlineSeconds: 40 },
      pods: ['n1 new ready'],
      status: { ...seen(complete, { desiredNumberScheduled: 1 }), observedGeneration: 0 },
      progressing: 'True NewRevisionAvailable',
      operational: false,
    },
    {
      name: 'a node is tainted later: the rollout stays complete',
      spec: { progressDeadlineSeconds: 40 },
      nodes: ['n1', away],
      pods: ['n1 new ready', 'away new ready'],
      status: seen(complete, { desiredNumberScheduled: 2, currentNumberScheduled: 2 }),
      progressing: 'True NewRevisionAvailable',
      operational: true,
    },
    {
      name: 'a node is lost later and carries its pod: the rollout stays complete, and the node stays desired',
      spec: { progressDeadlineSeconds: 40 },
      nodes: ['n1', unreachable],
      pods: ['n1 new ready', 'lost new running'],
      status: seen(complete, { desiredNumberScheduled: 2, currentNumberScheduled: 2 }),
      progressing: 'True NewRevisionAvailable',
      operational: false,
    },
    {
      name: 'a lost node without its pod is not desired',
      nodes: ['n1', unreachable],
      pods: ['n1 new ready'],
      status: seen(complete, { desiredNumberScheduled: 2 }),
      progressing: 'True NewRevisionAvailable',
      operational: true,
    },
    {
      name: 'a lost node that carries its pod, one of two required',
      spec: { operationalThreshold: '50%' },
      nodes: ['n1', unreachable],
      pods: ['n1 new ready', 'lost new running'],
      status: seen(complete, { desiredNumberScheduled: 2 }),
      progressing: 'True NewRevisionAvailable',
      operational: true,
    },
    {
      name: 'a terminating pod counts as available as long as the status counts it so',
      pods: ['n1 new ready', 'n2 new ready terminating'],
      status: seen(complete, { desiredNumberScheduled: 2 }),
      progressing: 'True NewRevisionAvailable',
      operational: true,
    },
    {
      name: 'beside a terminating pod its successor counts',
      spec: rolling({ maxSurge: 1, maxUnavailable: 0 }),
      pods: ['n1 new ready', 'n2 old ready terminating', 'n2 new ready young'],
      status: seen(rollout, { desiredNumberScheduled: 2 }),
      progressing: 'True RevisionUpdated',
      operational: true,
    },
    {
      name: 'the deadline has passed',
      spec: { progressDeadlineSeconds: 40 },
      pods: ['n1 new running', 'n2 new running'],
      status: seen(rollout, { desiredNumberScheduled: 2, currentNumberScheduled: 2, updatedNumberScheduled: 2 }),
      progressing: 'False ProgressDeadlineExceeded',
      operational: false,
    },
    {
      name: 'a pod became ready in time',
      spec: { progressDeadlineSeconds: 40 },
      pods: ['n1 new ready', 'n2 new running'],
      status: seen(rollout, { desiredNumberScheduled: 2, currentNumberScheduled: 2, updatedNumberScheduled: 2 }),
      progressing: 'True RevisionUpdated',
      operational: false,
    },
    {
      name: 'OnDelete: no deadline while the user has to act',
      spec: { progressDeadlineSeconds: 40, updateStrategy: { type: 'OnDelete' } },
      pods: ['n1 old ready', 'n2 old ready'],
      status: seen(rollout, { desiredNumberScheduled: 2, currentNumberScheduled: 2, numberReady: 2, numberAvailable: 2 }),
      progressing: 'True RevisionUpdated',
      operational: true,
    },
  ]
  for (const { name, spec = {}, nodes = ['n1', 'n2'], pods, status, progressing, operational } of rows)
    it(name, () =>
      expect(short(spec, nodes, pods, status)).toEqual({
        Progressing: progressing,
        Operational: operational ? 'True SufficientReplicasAvailable' : 'False InsufficientReplicasAvailable',
      }),
    )

  it('preserves existing conditions while the gate is off', () => {
    const conditions = [{ type: 'Progressing', status: 'False' }]
    expect(planDaemonSet(snapshotOf(setOf({}, { conditions }), [], [])).status.conditions).toEqual(conditions)
  })
})

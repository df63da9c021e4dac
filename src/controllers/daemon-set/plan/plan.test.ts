import { describe, expect, it } from 'vitest'
import type { DaemonSet, Node, Stored } from '../../../api/types.ts'
import { nodeOf, nowMs, podOf, rolling, setOf, shown, snapshotOf } from '../testing/sample-objects.ts'
import { nextBackoff } from './failed-pods.ts'
import { maxPodsPerSync, planDaemonSet } from './plan.ts'
import { nodeOf as nodeOfPod, podForNode, podTemplateOf } from './pods.ts'
import { limitsOf } from './rolling-update.ts'
import type { Backoff } from './snapshot.ts'

interface Row {
  readonly name: string
  readonly spec?: Partial<NonNullable<DaemonSet['spec']>>
  readonly nodes?: readonly (string | Stored<Node>)[]
  readonly pods: readonly string[]
  readonly does: readonly string[]
}

const check = (rows: readonly Row[]) => {
  for (const { name, spec, nodes = ['n1', 'n2', 'n3'], pods, does } of rows)
    it(name, () => expect(shown(planDaemonSet(snapshotOf(setOf(spec), nodes, pods)))).toEqual(does))
}

const surging = rolling({ maxUnavailable: 0, maxSurge: 1 })
const closed = (name: string, effect = 'NoExecute') => nodeOf(name, { taints: [{ key: 'k', effect }] })

describe('planDaemonSet(): nodes', () => {
  check([
    { name: 'a pod for each node', pods: [], does: ['create n1', 'create n2', 'create n3'] },
    { name: 'only where there is none', pods: ['n2 new running'], does: ['create n1', 'create n3'] },
    { name: 'a pod that waits for its node counts', nodes: ['n1'], pods: ['n1 new waiting'], does: [] },
    { name: 'a terminating pod holds the place', nodes: ['n1'], pods: ['n1 new ready terminating'], does: [] },
    { name: 'an ended and deleted one does not', nodes: ['n1'], pods: ['n1 new failed terminating'], does: ['create n1'] },
    {
      name: 'the oldest of several stays',
      nodes: ['n1'],
      pods: ['n1 new ready young', 'n1 old running', 'n1 new ready'],
      does: ['delete n1-old-1', 'delete n1-new-0'],
    },
    {
      name: 'one on the node stays before one that waits',
      nodes: ['n1'],
      pods: ['n1 new waiting', 'n1 new running young'],
      does: ['delete n1-new-0'],
    },
    {
      name: 'none where it may not stay',
      nodes: [closed('n1')],
      pods: ['n1 new ready', 'n1 new ready terminating'],
      does: ['delete n1-new-0'],
    },
    { name: 'it stays where none would be made', nodes: [closed('n1', 'NoSchedule')], pods: ['n1 new ready'], does: [] },
    { name: 'none is made where it could only stay', nodes: [closed('n1', 'NoSchedule')], pods: [], does: [] },
    { name: 'a failed pod goes', nodes: ['n1'], pods: ['n1 new failed'], does: ['delete n1-new-0'] },
    { name: 'a succeeded pod goes', nodes: ['n1'], pods: ['n1 new succeeded'], does: ['delete n1-new-0'] },
    {
      name: 'a pod that waits for a deleted node is deleted',
      nodes: [],
      pods: ['n1 new waiting', 'n2 new ready'],
      does: ['delete n1-new-0'],
    },
    {
      name: 'surging: a terminating pod does not hold the place',
      spec: surging,
      nodes: ['n1'],
      pods: ['n1 old ready terminating'],
      does: ['create n1'],
    },
    { name: 'surging: old ready and new unready stay', spec: surging, nodes: ['n1'], pods: ['n1 old ready', 'n1 new running'], does: [] },
    {
      name: 'surging: the old one goes when the new one is available',
      spec: surging,
      nodes: ['n1'],
      pods: ['n1 old ready', 'n1 new ready'],
      does: ['delete n1-old-0'],
    },
    {
      name: 'surging: the old one goes when it is unready',
      spec: surging,
      nodes: ['n1'],
      pods: ['n1 old running', 'n1 new running'],
      does: ['delete n1-old-0'],
    },
    {
      name: 'surging: one of each at most',
      spec: surging,
      nodes: ['n1'],
      pods: ['n1 old ready', 'n1 old ready young', 'n1 new running', 'n1 new running young'],
      does: ['delete n1-new-3', 'delete n1-old-1'],
    },
  ])

  it('creates so many in a step, and no more', () => {
    const nodes = Array.from({ length: 300 }, (_, index) => `n${index}`)
    expect(planDaemonSet(snapshotOf(setOf(), nodes, [])).create).toHaveLength(maxPodsPerSync)
  })

  it('reports terminated pods', () => {
    const { notices } = planDaemonSet(snapshotOf(setOf(), ['n1', 'n2'], ['n1 new failed', 'n2 new succeeded']))
    expect(notices).toEqual([
      { type: 'Warning', reason: 'FailedDaemonPod', message: 'Found failed daemon pod default/n1-new-0 on node n1, will try to kill it' },
      {
        type: 'Normal',
        reason: 'SucceededDaemonPod',
        message: 'Found succeeded daemon pod default/n2-new-1 on node n2, will try to delete it',
      },
    ])
  })
})

describe('planDaemonSet(): failed pods', () => {
  const planAfter = (backoff: Backoff, spec = {}) =>
    planDaemonSet(snapshotOf(setOf(spec), ['n1'], ['n1 new failed'], { backoffs: new Map([['n1', backoff]]) }))

  it('remembers the first failure', () => {
    const { backoffs } = planDaemonSet(snapshotOf(setOf(), ['n1'], ['n1 new failed']))
    expect(backoffs.get('n1')).toEqual({ atMs: nowMs, delayMs: 1000 })
  })

  it('backs off after the next failure and requeues', () => {
    const plan = planAfter({ atMs: nowMs - 400, delayMs: 1000 })
    expect(shown(plan)).toEqual([])
    expect(plan.requeueAtMs).toBe(nowMs + 600)
    expect(plan.notices).toEqual([])
  })

  it('waits twice as long the next time', () => {
    const plan = planAfter({ atMs: nowMs - 1000, delayMs: 1000 })
    expect(shown(plan)).toEqual(['delete n1-new-0'])
    expect(plan.backoffs.get('n1')).toEqual({ atMs: nowMs, delayMs: 2000 })
  })

  it('offers no other pod while it waits, surging or not', () => {
    expect(shown(planAfter({ atMs: nowMs - 400, delayMs: 1000 }, surging))).toEqual([])
  })

  it('backs off for 15 minutes at most, and expires after 30', () => {
    const longest = 15 * 60_000
    expect(nextBackoff({ atMs: 0, delayMs: longest }, 1)).toEqual({ atMs: 1, delayMs: longest })
    expect(nextBackoff({ atMs: 0, delayMs: longest }, 2 * longest + 1)).toEqual({ atMs: 2 * longest + 1, delayMs: 1000 })
    expect(planAfter({ atMs: nowMs - 2 * longest - 1, delayMs: 4000 }).backoffs.get('n1')?.delayMs).toBe(1000)
  })
})

describe('planDaemonSet(): rolling update', () => {
  const old = ['n1 old ready', 'n2 old ready', 'n3 old ready']
  check([
    { name: 'one node at a time', pods: old, does: ['delete n1-old-0'] },
    {
      name: 'so many as may be unavailable',
      spec: rolling({ maxUnavailable: 2 }),
      pods: old,
      does: ['delete n1-old-0', 'delete n2-old-1'],
    },
    { name: 'a share is rounded up', spec: rolling({ maxUnavailable: '34%' }), pods: old, does: ['delete n1-old-0', 'delete n2-old-1'] },
    { name: 'waits for a terminating pod', pods: ['n1 old ready terminating', 'n2 old ready', 'n3 old ready'], does: [] },
    { name: 'waits for the new pod', pods: ['n1 new running', 'n2 old ready', 'n3 old ready'], does: [] },
    { name: 'goes on when it is available', pods: ['n1 new ready', 'n2 old ready', 'n3 old ready'], does: ['delete n2-old-1'] },
    { name: 'waits for minReadySeconds', spec: { minReadySeconds: 5 }, pods: ['n1 new fresh', 'n2 old ready', 'n3 old ready'], does: [] },
    {
      name: 'takes all old pods that are not available at once',
      pods: ['n1 old running', 'n2 old running', 'n3 old ready'],
      does: ['delete n1-old-0', 'delete n2-old-1'],
    },
    {
      name: 'also while new ones are not available',
      pods: ['n1 new running', 'n2 old running', 'n3 old ready'],
      does: ['delete n2-old-1'],
    },
    { name: 'is done', pods: ['n1 new ready', 'n2 new ready', 'n3 new ready'], does: [] },
    { name: 'creates before it updates', pods: old.slice(1), does: ['create n1'] },
    { name: 'OnDelete: none', spec: { updateStrategy: { type: 'OnDelete' } }, pods: old, does: [] },
  ])

  check([
    { name: 'surging: a new pod beside the old one', spec: surging, pods: old, does: ['create n1'] },
    { name: 'surging: waits for it', spec: surging, pods: [...old, 'n1 new running'], does: [] },
    {
      name: 'surging: goes on when it is available',
      spec: surging,
      pods: ['n1 new ready', 'n2 old ready', 'n3 old ready'],
      does: ['create n2'],
    },
    {
      name: 'surging: so many as may surge',
      spec: rolling({ maxUnavailable: 0, maxSurge: '50%' }),
      pods: old,
      does: ['create n1', 'create n2'],
    },
    {
      name: 'surging: beside all old pods that are not available',
      spec: surging,
      pods: ['n1 old running', 'n2 old running', 'n3 old ready'],
      does: ['create n1', 'create n2', 'create n3'],
    },
    {
      name: 'surging: an unavailable pod goes from a node that is not wanted',
      spec: surging,
      nodes: [closed('n1', 'NoSchedule'), 'n2'],
      pods: ['n1 old running', 'n2 new ready'],
      does: ['delete n1-old-0'],
    },
    {
      name: 'surging: an available one stays until enough others are',
      spec: surging,
      nodes: [closed('n1', 'NoSchedule'), 'n2'],
      pods: ['n1 old ready', 'n2 new running'],
      does: [],
    },
    {
      name: 'surging: and goes then',
      spec: surging,
      nodes: [closed('n1', 'NoSchedule'), 'n2'],
      pods: ['n1 old ready', 'n2 new ready'],
      does: ['delete n1-old-0'],
    },
  ])

  it('knows pods by the number of their template as well', () => {
    const set = { ...setOf(), metadata: { ...setOf().metadata, annotations: { 'deprecated.daemonset.template.generation': '2' } } }
    const pod = podOf('n1 other ready')
    const labelled = { ...pod, metadata: { ...pod.metadata, labels: { 'pod-template-generation': '2' } } }
    expect(shown(planDaemonSet({ ...snapshotOf(set, ['n1'], []), pods: [labelled] }))).toEqual([])
  })
})

describe('limitsOf()', () => {
  it('treats 0 and 0 as one unavailable pod', () => {
    expect(limitsOf(setOf(rolling({ maxUnavailable: 0, maxSurge: 0 })), 3)).toEqual({ maxSurge: 0, maxUnavailable: 1 })
    expect(limitsOf(setOf({ updateStrategy: { type: 'OnDelete' } }), 0)).toEqual({ maxSurge: 0, maxUnavailable: 0 })
  })
})

describe('podForNode()', () => {
  const set = setOf({
    template: {
      metadata: { labels: { app: 'x' } },
      spec: {
        containers: [],
        affinity: {
          podAffinity: {},
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [],
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
            },
          },
        },
      },
    },
  })
  const pod = podForNode(podTemplateOf(set, 'new'), 'n7')

  it('replaces the required node affinity of the template and keeps the rest', () => {
    expect(pod.spec?.affinity).toEqual({
      podAffinity: {},
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [],
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n7'] }] }],
        },
      },
    })
    expect(nodeOfPod(pod)).toBe('n7')
  })

  it('carries the revision and the owner', () => {
    expect(pod.metadata).toMatchObject({
      generateName: 'a-',
      labels: { app: 'x', 'controller-revision-hash': 'new' },
      ownerReferences: [{ kind: 'DaemonSet', uid: 'set' }],
    })
  })
})

import { describe, expect, it } from 'vitest'
import type { Node, Pod, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { lastStatusOf, missingNodes, planPodCollection } from './plan.ts'

const nowMs = Date.UTC(2026, 10, 1, 12)
const now = formatTime(nowMs)

const pod = (name: string, more: { metadata?: object; spec?: object; status?: object } = {}): Stored<Pod> =>
  ({
    metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', generation: 3, creationTimestamp: now, ...more.metadata },
    spec: { containers: [], ...more.spec },
    status: { phase: 'Running', ...more.status },
  }) as Stored<Pod>

const node = (name: string, ready: string, taint?: string): [string, Node] => [
  name,
  {
    metadata: { name },
    spec: taint ? { taints: [{ key: taint, effect: 'NoExecute' }] } : {},
    status: { conditions: [{ type: 'Ready', status: ready }] },
  } as Node,
]

const terminating = { metadata: { deletionTimestamp: now } }
const on = (nodeName: string) => ({ spec: { nodeName } })

const plan = (pods: Stored<Pod>[], nodes: [string, Node][] = [], deleted: string[] = [], terminatedPodThreshold = 2) =>
  planPodCollection({ pods, nodes: new Map(nodes), deletedNodes: new Set(deleted), terminatedPodThreshold }).map(
    ({ pod: { metadata }, why }) => `${metadata.name} ${why}`,
  )

describe('planPodCollection()', () => {
  const terminated = (name: string, age: number, status: object = {}) =>
    pod(name, { metadata: { creationTimestamp: formatTime(nowMs - age * 1000) }, status: { phase: 'Succeeded', ...status } })
  const outOfService = 'node.kubernetes.io/out-of-service'
  for (const [name, actual, expected] of [
    ['leaves running pods', () => plan([pod('a', on('n'))], [node('n', 'True')]), []],
    ['keeps terminated pods up to the threshold', () => plan([terminated('a', 1), terminated('b', 2)]), []],
    ['deletes the oldest above the threshold', () => plan([terminated('a', 1), terminated('b', 3), terminated('c', 2)]), ['b terminated']],
    [
      'takes evicted pods first',
      () => plan([terminated('a', 9), terminated('b', 1, { phase: 'Failed', reason: 'Evicted' }), terminated('c', 5)]),
      ['b terminated'],
    ],
    ['orders pods of the same age by name', () => plan([terminated('b', 1), terminated('a', 1), terminated('c', 1)]), ['a terminated']],
    ['keeps all with no threshold', () => plan([terminated('a', 1), terminated('b', 2), terminated('c', 3)], [], [], 0), []],
    ['deletes pods of deleted nodes', () => plan([pod('a', on('n')), pod('b', on('m'))], [], ['n']), ['a orphaned']],
    ['leaves pods of nodes that are only missing', () => plan([pod('a', on('n'))]), []],
    ['deletes unscheduled pods that are being deleted', () => plan([pod('a', terminating), pod('b')]), ['a unscheduled']],
    ['leaves deleted pods to their node', () => plan([pod('a', { ...terminating, ...on('n') })], [node('n', 'True')]), []],
    [
      'takes deleted pods of a node out of service',
      () => plan([pod('a', { ...terminating, ...on('n') }), pod('b', on('n'))], [node('n', 'Unknown', outOfService)]),
      ['a out-of-service'],
    ],
    ['not while that node is ready', () => plan([pod('a', { ...terminating, ...on('n') })], [node('n', 'True', outOfService)]), []],
    ['not for another taint', () => plan([pod('a', { ...terminating, ...on('n') })], [node('n', 'False', 'other')]), []],
  ] as const)
    it(name, () => expect(actual()).toEqual(expected))
})

describe('lastStatusOf()', () => {
  it('marks orphans as disrupted', () =>
    expect(lastStatusOf({ pod: pod('a'), why: 'orphaned' }, nowMs)).toEqual({
      phase: 'Failed',
      observedGeneration: 3,
      conditions: [
        {
          type: 'DisruptionTarget',
          observedGeneration: 3,
          status: 'True',
          lastTransitionTime: now,
          reason: 'DeletionByPodGC',
          message: 'PodGC: node no longer exists',
        },
      ],
    }))
  it('only fails the others', () =>
    expect(lastStatusOf({ pod: pod('a'), why: 'unscheduled' }, nowMs)).toEqual({ phase: 'Failed', observedGeneration: 3 }))
  it('does not change terminated pods', () =>
    expect(lastStatusOf({ pod: pod('a', { status: { phase: 'Succeeded' } }), why: 'orphaned' }, nowMs)).toBeUndefined())
})

describe('missingNodes()', () => {
  it('names each once', () =>
    expect([...missingNodes([pod('a', on('n')), pod('b', on('n')), pod('c', on('m')), pod('d')], new Set(['m']))]).toEqual(['n']))
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deployment, OwnerReference, Pod, ReplicaSet, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { answerMark, isBeingReplaced, replacingMark, requestMark } from './eviction-marks.ts'
import { abandonedAfterMs, type EvictionPlan, planEvictions, podsOwedBy } from './evictions.ts'

const nowMs = Date.UTC(2026, 10, 1, 12)
const timeoutMs = 300_000
const second = 1000

const deploymentOf = (replicas: number, maxSurge: number | string): Stored<Deployment> =>
  ({
    metadata: { name: 'web', namespace: 'n', uid: 'd', resourceVersion: '1' },
    spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable: 0 } } },
  }) as unknown as Stored<Deployment>

const setOf = (size: number, hash = 'a'): Stored<ReplicaSet> =>
  ({
    metadata: { name: `web-${hash}`, uid: hash, labels: { 'pod-template-hash': hash } },
    spec: { replicas: size },
  }) as unknown as Stored<ReplicaSet>

interface Traits {
  readonly requestedAgo?: number
  /** Default: now. */
  readonly lastRequestAgo?: number
  readonly replacingAgo?: number
  readonly floor?: number
  readonly answer?: 'Replaced' | 'TimedOut'
  readonly answeredAgo?: number
  readonly isReady?: boolean
  readonly isTerminating?: boolean
  readonly hash?: string
  readonly age?: number
}

function podOf(name: string, traits: Traits = {}): Stored<Pod> {
  const {
    requestedAgo,
    lastRequestAgo = 0,
    replacingAgo,
    floor = 1,
    answer,
    answeredAgo = 0,
    isReady = true,
    isTerminating,
    hash = 'a',
  } = traits
  const at = (ago: number) => nowMs - ago * second
  const isOut = replacingAgo !== undefined
  const owner: OwnerReference = isOut
    ? { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd', controller: true }
    : { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `web-${hash}`, uid: hash, controller: true }
  const annotations = {
    ...(requestedAgo !== undefined && {
      ...requestMark(at(requestedAgo)),
      'rollcall.dev/eviction-last-request-at': new Date(at(lastRequestAgo)).toISOString(),
    }),
    ...(replacingAgo !== undefined && replacingMark(at(replacingAgo), floor, name)),
    ...(answer !== undefined && answerMark(at(answeredAgo), answer)),
  }
  return {
    metadata: {
      name,
      uid: name,
      labels: { 'pod-template-hash': hash },
      creationTimestamp: formatTime(at(traits.age ?? 3600)),
      ownerReferences: [owner],
      annotations,
      ...(isTerminating && { deletionTimestamp: formatTime(nowMs) }),
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  } as unknown as Stored<Pod>
}

interface Case {
  readonly replicas: number
  readonly surge?: number
  readonly pods: readonly Stored<Pod>[]
  readonly gated?: number
  readonly sets?: readonly Stored<ReplicaSet>[]
  readonly takesOver?: boolean
}

const plan = ({ replicas, surge = 1, pods, gated = 0, sets = [setOf(replicas)], takesOver = true }: Case): EvictionPlan => {
  const cap = replicas + surge
  // Rollcall's ReplicaSets create a pod for each that is being replaced too.
  const owed = podsOwedBy(sets, takesOver ? pods : pods.filter((pod) => !isBeingReplaced(pod)))
  const room = cap - pods.length - gated - owed
  return planEvictions({ deployment: deploymentOf(replicas, surge), sets, pods, room, cap, takesOver, timeoutMs }, nowMs)
}

const lines = ({ actions, waiting }: EvictionPlan) => [
  ...actions.map((action) => {
    const more = action.type === 'allow' ? ` ${action.reason}` : action.type === 'replace' ? ` ${action.floor}` : ''
    const back = action.type !== 'replace' && action.type !== 'delete' && action.giveBackTo ? ` to ${action.giveBackTo.metadata.name}` : ''
    return `${action.type} ${action.pod.metadata.name}${more}${back}`
  }),
  ...waiting.map(({ pod, isReplacing }) => `${pod.metadata.name} ${isReplacing ? 'replacing' : 'queued'}`),
]

describe('planEvictions()', () => {
  it.each<[string, Case, string[]]>([
    ['does nothing without a request', { replicas: 1, pods: [podOf('a')] }, []],
    ['replaces the pod of one replica', { replicas: 1, pods: [podOf('a', { requestedAgo: 1 })] }, ['replace a 1']],
    [
      'waits for the replacement',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 9, replacingAgo: 8 }), podOf('b', { isReady: false })] },
      ['a replacing'],
    ],
    [
      'lets the eviction pass when the replacement is available',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 9, replacingAgo: 8 }), podOf('b')] },
      ['allow a Replaced'],
    ],
    [
      'waits until the last pod has terminated',
      { replicas: 1, pods: [podOf('a', { isTerminating: true }), podOf('b', { requestedAgo: 1 })] },
      ['b queued'],
    ],
    [
      'counts a replacement that does not exist yet',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 9, replacingAgo: 8 })] },
      ['a replacing'],
    ],
    [
      'takes the first requested first',
      { replicas: 3, pods: [podOf('a', { requestedAgo: 1 }), podOf('b', { requestedAgo: 3 }), podOf('c', { requestedAgo: 2 })] },
      ['replace b 3', 'c queued', 'a queued'],
    ],
    [
      'replaces as many as there is room for',
      { replicas: 3, surge: 2, pods: [podOf('a', { requestedAgo: 1 }), podOf('b', { requestedAgo: 3 }), podOf('c', { requestedAgo: 2 })] },
      ['replace b 3', 'replace c 3', 'a queued'],
    ],
    [
      'lets one pass for each replacement',
      {
        replicas: 2,
        surge: 2,
        pods: [
          podOf('a', { requestedAgo: 9, replacingAgo: 8, floor: 2 }),
          podOf('b', { requestedAgo: 9, replacingAgo: 8, floor: 2 }),
          podOf('c'),
          podOf('d', { isReady: false }),
        ],
      },
      ['allow a Replaced', 'b replacing'],
    ],
    [
      'does not count a pod that may be evicted already',
      {
        replicas: 2,
        surge: 2,
        pods: [
          podOf('a', { requestedAgo: 9, replacingAgo: 8, floor: 2, answer: 'Replaced' }),
          podOf('b', { requestedAgo: 9, replacingAgo: 8, floor: 2 }),
          podOf('c'),
          podOf('d', { isReady: false }),
        ],
      },
      ['b replacing'],
    ],
    ['leaves room to pods that wait', { replicas: 2, pods: [podOf('a', { requestedAgo: 1 }), podOf('b')], gated: 1 }, ['a queued']],
    ['lets evictions pass without a surge', { replicas: 1, surge: 0, pods: [podOf('a', { requestedAgo: 1 })] }, ['allow a NotNeeded']],
    ['lets a pod pass that is not ready', { replicas: 1, pods: [podOf('a', { requestedAgo: 1, isReady: false })] }, ['allow a NotNeeded']],
    [
      'needs no more than the replicas after a scale down',
      { replicas: 1, sets: [setOf(1)], pods: [podOf('a', { requestedAgo: 9, replacingAgo: 8, floor: 3 }), podOf('b')] },
      ['allow a Replaced'],
    ],
    [
      'gives a pod back whose replacement does not become available',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 301, replacingAgo: 300 }), podOf('b', { isReady: false })] },
      ['allow a TimedOut to web-a'],
    ],
    [
      'gives up where there is no room for so long',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 300 }), podOf('b', { isTerminating: true })] },
      ['allow a TimedOut'],
    ],
    [
      'does not give up while pods are replaced',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 300, age: 299 }), podOf('b', { isTerminating: true })] },
      ['a queued'],
    ],
    [
      'gives a pod back whose eviction is no longer requested',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 900, lastRequestAgo: 120, replacingAgo: 8 }), podOf('b')] },
      ['forget a to web-a'],
    ],
    [
      'also when it might have been evicted',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 900, lastRequestAgo: 120, replacingAgo: 8, answer: 'Replaced' }), podOf('b')] },
      ['forget a to web-a'],
    ],
    ['forgets a request that was given up', { replicas: 1, pods: [podOf('a', { requestedAgo: 900, lastRequestAgo: 120 })] }, ['forget a']],
    [
      'deletes a pod whose ReplicaSet is gone',
      {
        replicas: 1,
        sets: [setOf(1, 'b')],
        pods: [podOf('a', { requestedAgo: 900, lastRequestAgo: 120, replacingAgo: 8 }), podOf('b', { hash: 'b' })],
      },
      ['delete a'],
    ],
    [
      'gives a pod back that lost its annotations',
      { replicas: 1, pods: [podOf('a', { replacingAgo: 8 }), podOf('b')] },
      ['forget a to web-a'],
    ],
    [
      'remembers a timeout for ten minutes',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 900, answer: 'TimedOut', answeredAgo: 599 })] },
      [],
    ],
    [
      'and tries again then',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 900, answer: 'TimedOut', answeredAgo: 600 })] },
      ['forget a'],
    ],
  ])('%s', (_name, given, expected) => {
    expect(lines(plan(given))).toEqual(expected)
  })

  /** As above, but the pods stay with their ReplicaSet. */
  const kept = (pod: Stored<Pod>): Stored<Pod> => ({
    ...pod,
    metadata: {
      ...pod.metadata,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-a', uid: 'a', controller: true }],
    },
  })

  it.each<[string, Case, string[]]>([
    ['marks the pod of one replica', { replicas: 1, pods: [podOf('a', { requestedAgo: 1 })] }, ['replace a 1']],
    [
      'waits for the replacement',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 9, replacingAgo: 8 }), podOf('b', { isReady: false })] },
      ['a replacing'],
    ],
    [
      'lets the eviction pass when the replacement is available',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 9, replacingAgo: 8 }), podOf('b')] },
      ['allow a Replaced'],
    ],
    [
      'ends the wait for a replacement that does not become available',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 301, replacingAgo: 300 }), podOf('b', { isReady: false })] },
      ['allow a TimedOut'],
    ],
    [
      'forgets an eviction that is no longer requested',
      { replicas: 1, pods: [podOf('a', { requestedAgo: 900, lastRequestAgo: 120, replacingAgo: 8 }), podOf('b')] },
      ['forget a'],
    ],
    ['forgets a pod that lost the request', { replicas: 1, pods: [podOf('a', { replacingAgo: 8 }), podOf('b')] }, ['forget a']],
  ])('with Rollcall as the controller: %s', (_name, given, expected) => {
    expect(lines(plan({ ...given, takesOver: false, pods: given.pods.map(kept) }))).toEqual(expected)
  })

  it('comes back when requests would have stopped, and when the wait ends', () => {
    const queued = plan({ replicas: 1, pods: [podOf('a', { requestedAgo: 1 }), podOf('b', { isTerminating: true })] })
    expect(queued.requeueAtMs).toBe(nowMs + abandonedAfterMs)
    const replacing = plan({ replicas: 1, pods: [podOf('a', { requestedAgo: 299, replacingAgo: 290 }), podOf('b', { isReady: false })] })
    expect(replacing.requeueAtMs).toBe(nowMs + 10 * second)
  })

  const anyPod = fc.record({
    requestedAgo: fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined }),
    replacingAgo: fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }),
    floor: fc.integer({ min: 0, max: 5 }),
    isReady: fc.boolean(),
    isTerminating: fc.boolean(),
    answer: fc.option(fc.constantFrom('Replaced', 'TimedOut'), { nil: undefined }),
  })

  it('never takes out more pods than there is room for, and never lets the available pods fall below the floor', () => {
    const anyCase = fc.record({
      replicas: fc.integer({ min: 1, max: 6 }),
      surge: fc.integer({ min: 0, max: 3 }),
      traits: fc.array(anyPod, { maxLength: 9 }),
    })
    fc.assert(
      fc.property(anyCase, ({ replicas, surge, traits }) => {
        const pods = traits.map((one, index) => podOf(`p${index}`, one as Traits))
        const { actions } = plan({ replicas, surge, pods })
        const replaced = actions.filter(({ type }) => type === 'replace')
        const owned = pods.filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === 'a' && metadata.deletionTimestamp === undefined)
        const owed = Math.max(0, replicas - owned.length)
        expect(replaced.length).toBeLessThanOrEqual(Math.max(0, replicas + surge - pods.length - owed))
        const passing = actions.flatMap((action) => (action.type === 'allow' && action.reason === 'Replaced' ? [action.pod] : []))
        const isUp = ({ metadata, status }: Stored<Pod>) =>
          metadata.deletionTimestamp === undefined && status?.conditions?.[0]?.status === 'True'
        const left = pods.filter(
          (pod) => isUp(pod) && !passing.includes(pod) && !(pod.metadata.annotations?.['rollcall.dev/eviction-answer'] !== undefined),
        )
        for (const pod of passing) {
          const index = Number(pod.metadata.name.slice(1))
          if (isUp(pod)) expect(left.length).toBeGreaterThanOrEqual(Math.min(replicas, traits[index]!.floor))
        }
      }),
    )
  })
})

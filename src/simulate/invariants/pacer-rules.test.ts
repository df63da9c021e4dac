import { describe, expect, it } from 'vitest'
import { deployments, jobs, pods, replicaSets } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { checkPacer } from './pacer-rules.ts'

let nowMs = 0
const write = (kind: unknown, object: object, verb: Change['verb'] = 'update') =>
  ({ verb, kind, key: 'default/x', revision: 1, object, controller: controllerOf(object) }) as Change
const ownedBy = (uid?: string) => (uid === undefined ? {} : { ownerReferences: [{ uid, controller: true }] })
const deployment = (replicas: number, more = {}) =>
  write(deployments, { metadata: { uid: 'web', name: 'web', ...more }, spec: { replicas, strategy: { rollingUpdate: { maxSurge: 1 } } } })
const set = (uid: string, replicas: number, owner?: string) =>
  write(replicaSets, { metadata: { uid, name: uid, ...ownedBy(owner) }, spec: { replicas } })
const pod = (uid: string, owner: string, isGated: boolean, phase = 'Pending') =>
  write(pods, {
    metadata: { uid, name: uid, ...ownedBy(owner) },
    spec: { schedulingGates: isGated ? [{ name: 'rollcall.dev/pacer' }] : [] },
    status: { phase },
  })
const gone = (uid: string) => write(pods, { metadata: { uid } }, 'delete')
const admitted = (uid: string, owner: string) => [pod(uid, owner, true), pod(uid, owner, false)]

describe('checkPacer()', () => {
  const breach = (changes: readonly Change[], lagMs = 0) => {
    nowMs = 0
    const check = checkPacer({ now: () => nowMs, lagMs: () => lagMs })
    return changes.map((change) => {
      nowMs += 100
      return check(change)
    })
  }
  const base = [deployment(1), set('s1', 1, 'web'), set('s2', 1, 'web')]
  const full = [...base, ...admitted('a', 's1'), ...admitted('b', 's2')]

  it.each<[string, readonly Change[], string | undefined]>([
    ['as many as may be', full, undefined],
    [
      'one more, of another revision',
      [...full, ...admitted('c', 's2')],
      'pod default/x is released as number 3 of Deployment web, which may have 2',
    ],
    ['one that waits', [...full, pod('c', 's2', true)], undefined],
    ['one in place of one that has terminated', [...full, gone('a'), ...admitted('c', 's2')], undefined],
    ['one in place of one that has failed', [...full, pod('a', 's1', false, 'Failed'), ...admitted('c', 's2')], undefined],
    [
      'a stuck pod that may not hold room',
      [deployment(1, { annotations: { 'rollcall.dev/stuck-termination-timeout': '1m' } }), ...full.slice(1), ...admitted('c', 's2')],
      undefined,
    ],
    [
      'a ReplicaSet alone',
      [set('s1', 1), ...admitted('a', 's1'), ...admitted('b', 's1')],
      'pod default/x is released as number 2 of ReplicaSet s1, which may have 1',
    ],
    [
      'a suspended Job',
      [write(jobs, { metadata: { uid: 'j', name: 'j' }, spec: { suspend: true } }), ...admitted('a', 'j')],
      'pod default/x is released as number 1 of Job j, which may have 0',
    ],
    ['a pod of another workload', admitted('a', 'foreign'), undefined],
  ])('%s', (_name, changes, expected) => {
    expect(breach(changes).at(-1)).toBe(expected)
  })

  it('accepts what was right a moment ago, and not what was right long ago', () => {
    const shrunk = [...base, ...admitted('a', 's1'), deployment(0), ...admitted('b', 's1')]
    expect([breach(shrunk, 1000).at(-1), breach(shrunk, 50).at(-1)]).toEqual([
      undefined,
      'pod default/x is released as number 2 of Deployment web, which may have 1',
    ])
  })

  it('accepts that a second installation has not observed what the first has just released, but not that one misses its own releases', () => {
    const releasers: Record<string, ReadonlySet<string>> = {
      a: new Set(['first']),
      b: new Set(['first']),
      c: new Set(['second']),
      d: new Set(['second']),
      e: new Set(),
    }
    const last = (changes: readonly Change[], lagMs: number) => {
      nowMs = 0
      const check = checkPacer({ now: () => nowMs, lagMs: () => lagMs, releasersOf: (uid) => releasers[uid]! })
      return changes.map((change) => {
        nowMs += 100
        return check(change)
      })[changes.length - 1]
    }
    const one = [...base, ...admitted('a', 's1'), ...admitted('b', 's2'), ...admitted('c', 's2')]
    expect(last(one, 1000)).toBeUndefined()
    expect(last(one, 50)).toBe('pod default/x is released as number 3 of Deployment web, which may have 2')
    const two = [...base, ...admitted('a', 's1'), ...admitted('c', 's2'), ...admitted('d', 's2')]
    expect(last(two, 1000)).toBeUndefined()
    const three = [...base, ...admitted('c', 's1'), ...admitted('d', 's2'), ...admitted('a', 's2'), ...admitted('b', 's2')]
    expect(last(three, 1000)).toBeUndefined()
    const own = [...base, ...admitted('c', 's1'), ...admitted('d', 's2'), pod('e', 's2', true), pod('e', 's2', false)]
    expect(last(own, 0)).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import type { Taint } from '../../../api/kinds/core/node/taints.ts'
import type { Node, Pod, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { planEviction, planEvictionCondition, planUnreadyConditions, stayMs } from './eviction.ts'
import { defaultGracePeriods, lostAfterMs, type NodeHealth, nextHealth, planLostConditions } from './health.ts'
import { changedTaints, planConditionTaints, planExecuteTaint, planNodeLabels } from './taints.ts'
import { isAllowed, limitAfterUse, limitAtRate, planDisruption, type ZoneCount, type ZoneState, zoneOf, zoneStateOf } from './zones.ts'

const nowMs = Date.UTC(2026, 10, 1, 12)
const now = formatTime(nowMs)
const createdMs = nowMs - 600_000
const beat = (ageSeconds: number) => formatTime(nowMs - ageSeconds * 1000)

const node = (conditions: readonly object[] = [], more: { spec?: object; labels?: Record<string, string> } = {}): Stored<Node> =>
  ({
    metadata: { name: 'n', uid: 'u', resourceVersion: '1', creationTimestamp: formatTime(createdMs), labels: more.labels },
    spec: more.spec ?? {},
    status: { conditions },
  }) as unknown as Stored<Node>
const ready = (status: string, ageSeconds = 0) => ({ type: 'Ready', status, lastHeartbeatTime: beat(ageSeconds) })

describe('nextHealth()', () => {
  const saved = (more: Partial<NodeHealth> = {}): NodeHealth => ({
    probedAtMs: nowMs - 30_000,
    ready: { status: 'True', lastHeartbeatTime: beat(30) },
    renewTime: '2026-11-01T11:59:30.000000Z',
    ...more,
  })
  for (const [name, before, seen, renewTime, probedAgoMs] of [
    ['counts from the creation where nothing was ever reported', undefined, node(), undefined, 600_000],
    ['counts from the first check of a node that has reported', undefined, node([ready('True', 90)]), undefined, 0],
    ['counts from the first report', { probedAtMs: createdMs }, node([ready('True', 90)]), undefined, 0],
    ['finds no heartbeat in the same report', saved(), node([ready('True', 30)]), saved().renewTime, 30_000],
    ['finds a heartbeat in a report with another time', saved(), node([ready('True', 5)]), saved().renewTime, 0],
    ['finds a heartbeat in a renewed Lease', saved(), node([ready('True', 30)]), '2026-11-01T11:59:40.000000Z', 0],
    ['finds no heartbeat in an older renewTime', saved(), node([ready('True', 30)]), '2026-11-01T11:59:20.000000Z', 30_000],
    ['finds a heartbeat in the first Lease', { probedAtMs: createdMs }, node(), '2026-11-01T11:59:20.000000Z', 0],
    ['keeps its time when the condition is taken away', saved(), node(), saved().renewTime, 30_000],
  ] as const)
    it(name, () => expect(nowMs - nextHealth(before, seen, renewTime, nowMs).probedAtMs).toBe(probedAgoMs))

  it('gives a node that never reported a longer grace', () => {
    expect(lostAfterMs({ probedAtMs: 0 }, defaultGracePeriods)).toBe(60_000)
    expect(lostAfterMs({ probedAtMs: 0, ready: { status: 'True', lastHeartbeatTime: now } }, defaultGracePeriods)).toBe(50_000)
  })
})

describe('planLostConditions()', () => {
  it('sets reported conditions to Unknown, and keeps those that the kubelet does not report', () => {
    const conditions = planLostConditions(node([ready('True', 60), { type: 'NetworkUnavailable', status: 'False' }]), nowMs)!
    expect(conditions[0]).toEqual({
      type: 'Ready',
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastHeartbeatTime: beat(60),
      lastTransitionTime: now,
    })
    expect(conditions[1]).toEqual({ type: 'NetworkUnavailable', status: 'False' })
    expect(conditions.slice(2).map(({ type, reason }) => `${type} ${reason}`)).toEqual([
      'MemoryPressure NodeStatusNeverUpdated',
      'DiskPressure NodeStatusNeverUpdated',
      'PIDPressure NodeStatusNeverUpdated',
    ])
  })
  it('reports that a node never posted its status', () =>
    expect(planLostConditions(node(), nowMs)![0]).toEqual({
      type: 'Ready',
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
      lastHeartbeatTime: formatTime(createdMs),
      lastTransitionTime: now,
    }))
  it('changes nothing twice', () => expect(planLostConditions(node([ready('Unknown', 60)]), nowMs)).toBeUndefined())
})

const noSchedule = (name: string): Taint => ({ key: `node.kubernetes.io/${name}`, effect: 'NoSchedule' })
const noExecute = (name: string): Taint => ({ key: `node.kubernetes.io/${name}`, effect: 'NoExecute' })

describe('planConditionTaints()', () => {
  for (const [name, seen, expected] of [
    ['has nothing to do for a ready node', node([ready('True')]), undefined],
    ['taints a node that is not ready', node([ready('False')]), { add: [noSchedule('not-ready')], remove: [] }],
    ['taints a node that is lost', node([ready('Unknown')]), { add: [noSchedule('unreachable')], remove: [] }],
    [
      'takes the taint of a new node away',
      node([ready('True')], { spec: { taints: [noSchedule('not-ready')] } }),
      { add: [], remove: [noSchedule('not-ready')] },
    ],
    [
      'takes it away where nothing was reported, too',
      node([], { spec: { taints: [noSchedule('not-ready')] } }),
      { add: [], remove: [noSchedule('not-ready')] },
    ],
    [
      'taints for pressure and a missing network',
      node(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'].map((type) => ({ type, status: 'True' }))),
      { add: ['memory-pressure', 'disk-pressure', 'pid-pressure', 'network-unavailable'].map(noSchedule), remove: [] },
    ],
    ['taints for a cordon', node([ready('True')], { spec: { unschedulable: true } }), { add: [noSchedule('unschedulable')], remove: [] }],
    [
      'takes the taint of a cordon away',
      node([], { spec: { taints: [noSchedule('unschedulable')] } }),
      { add: [], remove: [noSchedule('unschedulable')] },
    ],
    ['leaves the taints of others', node([ready('True')], { spec: { taints: [noExecute('not-ready'), noSchedule('x')] } }), undefined],
    ['is not misled by strange types', node([{ type: 'constructor', status: 'toString' }]), undefined],
  ] as const)
    it(name, () => expect(planConditionTaints(seen)).toEqual(expected))
})

describe('changedTaints()', () => {
  const change = planExecuteTaint('Unknown')!
  it('adds at the end, with the time', () =>
    expect(changedTaints(node([], { spec: { taints: [noSchedule('x')] } }), change, nowMs)).toEqual([
      noSchedule('x'),
      { ...noExecute('unreachable'), timeAdded: now },
    ]))
  it('removes the opposite taint', () =>
    expect(changedTaints(node([], { spec: { taints: [noExecute('not-ready')] } }), change, nowMs)).toEqual([
      { ...noExecute('unreachable'), timeAdded: now },
    ]))
  it('changes nothing twice', () =>
    expect(changedTaints(node([], { spec: { taints: [noExecute('unreachable')] } }), change, nowMs)).toBeUndefined())
})

describe('planNodeLabels()', () => {
  const os = 'kubernetes.io/os'
  for (const [name, labels, expected] of [
    ['adds the old name', { [os]: 'linux' }, { 'beta.kubernetes.io/os': 'linux' }],
    ['corrects the old name', { [os]: 'linux', 'beta.kubernetes.io/os': 'windows' }, { 'beta.kubernetes.io/os': 'linux' }],
    ['has nothing to do', { [os]: 'linux', 'beta.kubernetes.io/os': 'linux' }, undefined],
    ['does not copy deprecated labels back', { 'beta.kubernetes.io/os': 'linux' }, undefined],
  ] as const)
    it(name, () => expect(planNodeLabels(node([], { labels: labels as never }))).toEqual(expected))
})

describe('zoneOf()', () => {
  for (const [name, labels, expected] of [
    ['is empty without labels', {}, ''],
    ['has region and zone', { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r' }, 'r:\0:z'],
    ['prefers the old label', { 'topology.kubernetes.io/zone': 'z', 'failure-domain.beta.kubernetes.io/zone': 'old' }, ':\0:old'],
  ] as const)
    it(name, () => expect(zoneOf(node([], { labels: labels as never }))).toBe(expected))
})

describe('zoneStateOf()', () => {
  for (const [ready, notReady, expected] of [
    [3, 0, 'Normal'],
    [1, 2, 'Normal'],
    [2, 3, 'PartialDisruption'],
    [3, 3, 'Normal'],
    [0, 1, 'FullDisruption'],
    [45, 55, 'PartialDisruption'],
  ] as const)
    it(`${ready} ready and ${notReady} not are ${expected}`, () => expect(zoneStateOf({ ready, notReady })).toBe(expected))
})

describe('planDisruption()', () => {
  const count = (ready: number, notReady: number): ZoneCount => ({ ready, notReady })
  const plan = (before: Record<string, ZoneState>, zones: Record<string, ZoneCount>) => {
    const { rates, fullDisruption } = planDisruption(new Map(Object.entries(before)), new Map(Object.entries(zones)))
    return { rates: Object.fromEntries(rates), fullDisruption }
  }
  for (const [name, before, zones, expected] of [
    ['starts at the normal rate', {}, { a: count(3, 0) }, { rates: { a: 0.1 } }],
    ['changes nothing where nothing changes', { a: 'Normal' }, { a: count(3, 1) }, { rates: {} }],
    ['waits in a small zone that is partly lost', { a: 'Normal' }, { a: count(2, 3) }, { rates: { a: 0 } }],
    ['is slow in a large zone', { a: 'Normal' }, { a: count(20, 40) }, { rates: { a: 0.01 } }],
    [
      'goes on at the usual rate where one zone of two is lost',
      { a: 'Normal', b: 'Normal' },
      { a: count(0, 3), b: count(1, 0) },
      { rates: { a: 0.1 } },
    ],
    [
      'calls everything off when nothing is left',
      { a: 'Normal', b: 'FullDisruption' },
      { a: count(0, 3), b: count(0, 1) },
      { rates: { a: 0, b: 0 }, fullDisruption: 'begins' },
    ],
    ['does not change during a full disruption', { a: 'FullDisruption' }, { a: count(0, 3) }, { rates: {} }],
    [
      'starts anew when the first is back',
      { a: 'FullDisruption', b: 'FullDisruption' },
      { a: count(1, 2), b: count(0, 1) },
      { rates: { a: 0.1, b: 0.1 }, fullDisruption: 'ends' },
    ],
    ['changes nothing without nodes', { a: 'Normal' }, {}, { rates: {} }],
  ] as const)
    it(name, () => expect(plan(before, zones)).toEqual({ fullDisruption: undefined, ...expected }))
})

describe('limitAtRate()', () => {
  const used = limitAfterUse({ rate: 0.1, nextMs: 0 }, nowMs)
  it('allows one in ten seconds', () => {
    expect(isAllowed(used, nowMs + 9999)).toBe(false)
    expect(isAllowed(used, nowMs + 10_000)).toBe(true)
  })
  it('allows none at rate 0', () => expect(isAllowed(limitAtRate(used, 0, nowMs), nowMs + 1e9)).toBe(false))
  it('keeps waiting after a change of the rate', () => expect(limitAtRate(used, 0.01, nowMs).nextMs).toBe(nowMs + 100_000))
  it('is open at once where it was', () => expect(limitAtRate({ rate: 0.1, nextMs: 0 }, 0.01, nowMs).nextMs).toBe(nowMs))
})

describe('stayMs()', () => {
  const unreachable = noExecute('unreachable')
  const tolerate = (more: object) => ({ key: unreachable.key, operator: 'Exists', ...more })
  for (const [name, taints, tolerations, expected] of [
    ['is evicted at once without a toleration', [unreachable], [], 0],
    ['stays forever with a toleration without a limit', [unreachable], [tolerate({})], undefined],
    ['stays for tolerationSeconds', [unreachable], [tolerate({ tolerationSeconds: 300 })], 300_000],
    ['is evicted at once with negative tolerationSeconds', [unreachable], [tolerate({ tolerationSeconds: -1 })], 0],
    ['uses the first matching toleration', [unreachable], [tolerate({ tolerationSeconds: 5 }), tolerate({ tolerationSeconds: 1 })], 5000],
    [
      'goes by the shortest of several taints',
      [unreachable, { key: 'k', value: 'v', effect: 'NoExecute' }],
      [tolerate({ tolerationSeconds: 5 }), { key: 'k', value: 'v', effect: 'NoExecute', tolerationSeconds: 2 }],
      2000,
    ],
    ['requires a toleration for every taint', [unreachable, noExecute('x')], [tolerate({})], 0],
    ['does not mind another effect', [unreachable], [tolerate({ effect: 'NoSchedule' })], 0],
    ['compares values', [{ key: 'k', value: 'v', effect: 'NoExecute' }], [{ key: 'k', value: 'w' }], 0],
    ['tolerates everything by an empty key', [unreachable], [{ operator: 'Exists' }], undefined],
  ] as const)
    it(name, () => expect(stayMs(taints as never, tolerations as never)).toBe(expected))
})

describe('planEviction()', () => {
  const taints = [noExecute('unreachable')]
  const tolerations = [{ operator: 'Exists', tolerationSeconds: 10 }]
  it('continues a toleration period', () => {
    const scheduled = { sinceMs: nowMs - 1000, atMs: nowMs + 299_000 }
    expect(planEviction(taints, tolerations, scheduled, nowMs)).toBe(scheduled)
  })
  it('starts a toleration period', () =>
    expect(planEviction(taints, tolerations, undefined, nowMs)).toEqual({ sinceMs: nowMs, atMs: nowMs + 10_000 }))
  it('ends a toleration period when nothing is tolerated any more', () =>
    expect(planEviction(taints, [], { sinceMs: nowMs - 1000, atMs: nowMs + 9000 }, nowMs)?.atMs).toBe(nowMs))
})

describe('the conditions of pods', () => {
  const pod = (conditions: readonly object[]) =>
    ({ metadata: { name: 'p', uid: 'u', resourceVersion: '1', generation: 2 }, status: { conditions } }) as unknown as Stored<Pod>
  it('contain the reason of the deletion', () =>
    expect(planEvictionCondition(pod([]), nowMs)).toEqual({
      type: 'DisruptionTarget',
      observedGeneration: 2,
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
      lastTransitionTime: now,
    }))
  it('are set once', () => expect(planEvictionCondition(pod([planEvictionCondition(pod([]), nowMs)!]), nowMs + 5000)).toBeUndefined())
  it('turn unready, with nothing else changed', () =>
    expect(
      planUnreadyConditions(
        pod([
          { type: 'Ready', status: 'True', reason: 'r' },
          { type: 'PodScheduled', status: 'True' },
        ]),
        nowMs,
      ),
    ).toEqual([
      { type: 'Ready', status: 'False', reason: 'r', lastTransitionTime: now },
      { type: 'PodScheduled', status: 'True' },
    ]))
  it('do not change if the pod is not ready', () => {
    expect(planUnreadyConditions(pod([{ type: 'Ready', status: 'False' }]), nowMs)).toBeUndefined()
    expect(planUnreadyConditions(pod([]), nowMs)).toBeUndefined()
  })
})

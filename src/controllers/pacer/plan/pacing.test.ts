import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pod, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { describePacing, describeWait, type PacedWorkload, pacerGate, planPacing } from './pacing.ts'

const nowMs = Date.UTC(2026, 10, 1, 12)

interface Traits {
  readonly isGated?: boolean
  readonly phase?: string
  /** Its grace period ended so many seconds ago. */
  readonly deletedAgo?: number
  readonly age?: number
  readonly priority?: number
  readonly otherGates?: readonly string[]
}

const podOf = (name: string, { isGated = false, phase = 'Running', deletedAgo, age = 60, priority, otherGates = [] }: Traits = {}) =>
  ({
    metadata: {
      name,
      uid: `uid-${name}`,
      creationTimestamp: formatTime(nowMs - age * 1000),
      ...(deletedAgo !== undefined && { deletionTimestamp: formatTime(nowMs - deletedAgo * 1000) }),
    },
    spec: {
      ...(priority !== undefined && { priority }),
      schedulingGates: [...otherGates, ...(isGated ? [pacerGate] : [])].map((gate) => ({ name: gate })),
    },
    status: { phase: isGated ? 'Pending' : phase },
  }) as unknown as Stored<Pod>

const gated = (name: string, traits: Traits = {}) => podOf(name, { ...traits, isGated: true })
const deleted = (name: string, traits: Traits = {}) => podOf(name, { deletedAgo: 0, ...traits })
const names = (pods: readonly Stored<Pod>[]) => pods.map(({ metadata }) => metadata.name)

describe('planPacing()', () => {
  it.each<[string, Omit<PacedWorkload, 'pods'>, Stored<Pod>[], string[]]>([
    ['releases what there is room for', { cap: 3 }, [podOf('a'), gated('b'), gated('c'), gated('d')], ['b', 'c']],
    ['counts terminating pods', { cap: 3 }, [podOf('a'), deleted('b'), gated('c'), gated('d')], ['c']],
    ['releases nothing without room', { cap: 2 }, [podOf('a'), deleted('b'), gated('c')], []],
    ['releases nothing above the cap', { cap: 1 }, [podOf('a'), podOf('b'), gated('c')], []],
    [
      'does not count pods that have terminated',
      { cap: 1 },
      [podOf('a', { phase: 'Succeeded' }), deleted('b', { phase: 'Failed' }), gated('c')],
      ['c'],
    ],
    ['does not count a gated pod that is deleted', { cap: 1 }, [gated('a', { deletedAgo: 0 }), gated('b')], ['b']],
    ['counts a pod that others gate', { cap: 1 }, [podOf('a', { otherGates: ['example.com/quota'] }), gated('b')], []],
    ['releases everything that is not paced', { cap: undefined }, [podOf('a'), deleted('b'), gated('c'), gated('d')], ['c', 'd']],
    ['takes a higher priority first', { cap: 1 }, [gated('a'), gated('b', { priority: 10 })], ['b']],
    ['takes the older pod first', { cap: 1 }, [gated('a', { age: 10 }), gated('b', { age: 20 })], ['b']],
    [
      'takes a newer revision before an older pod',
      { cap: 1, revisionOf: ({ metadata }) => (metadata.name === 'new' ? 2 : 1) },
      [gated('old', { age: 99 }), gated('new', { age: 1 })],
      ['new'],
    ],
    ['counts a stuck pod for ever by default', { cap: 1 }, [deleted('a', { deletedAgo: 99_999 }), gated('b')], []],
    [
      'does not count a pod that is stuck for too long',
      { cap: 1, stuckTerminationTimeoutMs: 600_000 },
      [deleted('a', { deletedAgo: 600 }), gated('b')],
      ['b'],
    ],
    ['counts it until then', { cap: 1, stuckTerminationTimeoutMs: 600_000 }, [deleted('a', { deletedAgo: 599 }), gated('b')], []],
  ])('%s', (_name, workload, pods, released) => {
    expect(names(planPacing({ ...workload, pods }, nowMs).release)).toEqual(released)
  })

  it('comes back when a pod that others wait for counts as stuck', () => {
    const pods = [deleted('a', { deletedAgo: 590 }), gated('b')]
    expect(planPacing({ cap: 1, pods, stuckTerminationTimeoutMs: 600_000 }, nowMs).requeueAtMs).toBe(nowMs + 10_000)
    expect(planPacing({ cap: 2, pods, stuckTerminationTimeoutMs: 600_000 }, nowMs).requeueAtMs).toBeUndefined()
  })

  it('comes back when a pod has waited long enough for an Event', () => {
    const pods = [podOf('a'), gated('b', { age: 5 }), gated('c', { age: 4 }), gated('d', { age: 1 })]
    const { longWaiting, requeueAtMs } = planPacing({ cap: 1, pods }, nowMs)
    expect([names(longWaiting), requeueAtMs]).toEqual([['b'], nowMs + 1000])
    expect(planPacing({ cap: 2, pods: [podOf('a'), gated('b', { age: 1 })] }, nowMs).requeueAtMs).toBeUndefined()
  })

  it('reports which pods wait for which, the longest terminating first', () => {
    const pods = [deleted('a', { deletedAgo: 1 }), deleted('b', { deletedAgo: 9 }), podOf('c'), gated('d'), gated('e')]
    const pacing = planPacing({ cap: 3, pods }, nowMs)
    expect([names(pacing.waiting), names(pacing.waitsFor), pacing.admitted]).toEqual([['d', 'e'], ['b', 'a'], 3])
    expect(describeWait(pacing, 3)).toBe('Waiting for 2 terminating pods: b, a')
    expect(describeWait(planPacing({ cap: 1, pods: [podOf('a'), gated('b')] }, nowMs), 1)).toBe(
      'Waiting: 1 pods are admitted, and 1 may be',
    )
  })

  it('describes a plan for the log', () => {
    const pods = [deleted('a', { deletedAgo: 9 }), podOf('c'), gated('d'), gated('e')]
    expect(describePacing(planPacing({ cap: 3, pods }, nowMs), 3)).toBe(
      '2 of 3 admitted, 1 of them terminating; releases d; 1 held back: waiting for 1 terminating pod: a',
    )
    expect(describePacing(planPacing({ cap: 4, pods, stuckTerminationTimeoutMs: 0 }, nowMs + 1e9), 4)).toBe(
      '1 of 4 admitted, 0 of them terminating; 1 stuck, and not counted; releases d, e',
    )
  })

  const anyPod = fc.record({
    isGated: fc.boolean(),
    phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
    deletedAgo: fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined }),
    age: fc.integer({ min: 0, max: 1000 }),
    priority: fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined }),
  })
  const anyWorkload = fc.record({
    cap: fc.integer({ min: 0, max: 12 }),
    traits: fc.array(anyPod, { maxLength: 20 }),
    timeout: fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined }),
  })

  it('never admits more than the cap, and never lets a pod wait while there is room', () => {
    fc.assert(
      fc.property(anyWorkload, ({ cap, traits, timeout }) => {
        const pods = traits.map((one, index) => podOf(`p${index}`, one as Traits))
        const workload = { cap, pods, ...(timeout !== undefined && { stuckTerminationTimeoutMs: timeout * 1000 }) }
        const { release, waiting, admitted } = planPacing(workload, nowMs)
        const after = admitted + release.length
        expect(after).toBeLessThanOrEqual(Math.max(cap, admitted))
        if (waiting.length > 0) expect(after).toBeGreaterThanOrEqual(cap)
        expect(new Set([...release, ...waiting]).size).toBe(
          pods.filter((pod) => pod.spec?.schedulingGates?.length === 1 && pod.metadata.deletionTimestamp === undefined).length,
        )
      }),
    )
  })

  it('decides nothing more when its decision was carried out', () => {
    fc.assert(
      fc.property(anyWorkload, ({ cap, traits }) => {
        const pods = traits.map((one, index) => podOf(`p${index}`, one as Traits))
        const { release } = planPacing({ cap, pods }, nowMs)
        const gatesOf = ({ spec }: Pod) => spec?.schedulingGates?.filter(({ name }) => name !== pacerGate)
        const next = pods.map((pod) =>
          release.includes(pod) ? { ...pod, spec: { ...pod.spec, schedulingGates: gatesOf(pod) } } : pod,
        ) as Stored<Pod>[]
        expect(planPacing({ cap, pods: next }, nowMs).release).toEqual([])
      }),
    )
  })
})

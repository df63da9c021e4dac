import { describe, expect, it } from 'vitest'
import type { Pod, Stored } from '../../api/types.ts'
import { timingOf } from '../rollout/prepare.ts'
import { sampleTrace } from '../rollout/testing/sample-trace.ts'
import { readTimingFile } from '../rollout/timing-file.ts'
import { formatTiming, learnFromPods, learnFromTrace, timingsOf } from './learned-timing.ts'

const yaml = await import('yaml')

describe('learnFromTrace()', () => {
  it('takes the times of pods that started and stopped in it', () => {
    const samples = learnFromTrace(sampleTrace(10)).get('deployment/default/web')!
    // The trace has these two times.
    expect(new Set(samples.startup)).toEqual(new Set([19_990, 15_000]))
    expect(new Set(samples.stop)).toEqual(new Set([45_000]))
    expect([samples.startup.length, samples.stop.length]).toEqual([10, 10])
  })
})

describe('learnFromPods()', () => {
  const pod = (name: string, seconds: number, restartCount = 0): Stored<Pod> =>
    ({
      metadata: { name, uid: name },
      status: {
        conditions: [
          { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
          {
            type: 'Ready',
            status: 'True',
            lastTransitionTime: new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString().replace('.000', ''),
          },
        ],
        containerStatuses: [{ restartCount }],
      },
    }) as unknown as Stored<Pod>

  it('takes the time of a pull off the startup, and leaves out pods that restarted', () => {
    const events = [
      {
        involvedObject: { uid: 'b' },
        reason: 'Pulled',
        message: 'Successfully pulled image "a:1" in 1m2.5s (1m3s including waiting). Image size: 5 bytes.',
      },
    ]
    const learned = learnFromPods([pod('a', 10), pod('b', 75), pod('c', 500, 1)], events, ({ metadata }) =>
      metadata.name === 'd' ? undefined : 'deployment/shop/web',
    )
    expect(learned.get('deployment/shop/web')).toEqual({ startup: [10_000, 12_500], stop: [], pull: [62_500] })
  })

  it('leaves out pods that were unready for a while after their start', () => {
    const learned = (seconds: readonly number[]) =>
      learnFromPods(
        seconds.map((one, index) => pod(String(index), one)),
        [],
        () => 'deployment/shop/web',
      )
    expect(learned([10, 12, 9000]).get('deployment/shop/web')!.startup).toEqual([10_000, 12_000])
    expect(learned([9000]).get('deployment/shop/web')!.startup).toEqual([])
    expect(learned([0, 0, 1]).get('deployment/shop/web')!.startup).toEqual([0, 0, 1000])
    expect(timingsOf(learned([10, 12]))).toEqual({ 'deployment/shop/web': { startup: '11000ms±1000ms' } })
    expect(timingsOf(learned([9000]))).toEqual({})
  })
})

describe('formatTiming()', () => {
  it('is read by simulate --timing', () => {
    const text = formatTiming(new Map([['deployment/shop/web', { startup: [10_000, 14_000], stop: [3000, 3000], pull: [] }]]), 'Learned.')
    expect(text).toContain('startup: 12000ms±2000ms  # of 2 pods')
    expect(readTimingFile(yaml, { name: 'timing.yaml', text })).toEqual({ 'deployment/web': { startup: '12000ms±2000ms', stop: '3000ms' } })
  })

  it('keeps workloads of one name in two namespaces apart', () => {
    const samples = (ms: number) => ({ startup: [ms], stop: [], pull: [] })
    const text = formatTiming(
      new Map([
        ['deployment/a/web', samples(1000)],
        ['deployment/b/web', samples(2000)],
        ['job/a/once', samples(3000)],
      ]),
      '',
    )
    const timings = readTimingFile(yaml, { name: 'timing.yaml', text })
    expect(Object.keys(timings)).toEqual(['deployment/a/web', 'deployment/b/web', 'job/once'])
    const startupOf = (kind: string, name: string, namespace?: string) =>
      timingOf({ kind, metadata: { name, ...(namespace !== undefined && { namespace }) } } as never, {}, timings).startup
    expect([startupOf('Deployment', 'web', 'b'), startupOf('Deployment', 'web'), startupOf('Job', 'once', 'b')]).toEqual([
      '2000ms',
      undefined,
      '3000ms',
    ])
  })

  it('leaves out the outermost of many', () => {
    const startup = [...Array.from({ length: 98 }, () => 5000), 1, 99_000]
    expect(formatTiming(new Map([['job/default/a', { startup, stop: [], pull: [] }]]), '')).toContain('startup: 5000ms  # of 100 pods')
  })

  it('is empty where nothing was learned', () => {
    expect(formatTiming(new Map([['job/default/a', { startup: [], stop: [], pull: [] }]]), '')).toBe('')
  })

  it.each([
    ['no workloads', 'format: rollcall.timing/1\n', /no field "workloads"/],
    ['two documents', 'workloads: {}\n---\nworkloads: {}', /several documents/],
    ['a wrong name', 'workloads: { web: { stop: 1s } }', /cannot read workload "web"/],
    ['a wrong time', 'workloads: { deployment/web: { stop: soon } }', /cannot read duration "soon"/],
  ])('a file with %s is refused', (_, text, message) => {
    expect(() => readTimingFile(yaml, { name: 'timing.yaml', text })).toThrow(message)
  })
})

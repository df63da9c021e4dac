import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../api/types.ts'
import { loadAt, type PlannedLoad, usageUnder } from './load.ts'
import { MeasuredLoad } from './measured-load.ts'
import { loadPoints, readCapacity, readLoadFile, readLoadText } from './read-load.ts'

const fail = (message: string): never => {
  throw new Error(message)
}
const target = { kind: 'Deployment', namespace: 'default', name: 'web' }

describe('readLoadText()', () => {
  it.each<[string, string, readonly [number, number][]]>([
    ['a constant load', '100rps', [[0, 100]]],
    [
      'a peak, after which the load is as before',
      '100rps, 400rps@2m..10m',
      [
        [0, 100],
        [120_000, 400],
        [600_000, 100],
      ],
    ],
    [
      'a load that stays',
      '60%,90%@90s',
      [
        [0, 60],
        [90_000, 90],
      ],
    ],
    [
      'a load that begins later',
      '5.5rps@1m',
      [
        [0, 0],
        [60_000, 5.5],
      ],
    ],
    [
      'peaks that overlap: the later entry counts',
      '1rps, 2rps@1m..3m, 3rps@2m..4m',
      [
        [0, 1],
        [60_000, 2],
        [120_000, 3],
        [240_000, 1],
      ],
    ],
  ])('reads %s', (_, text, points) => {
    expect(readLoadText(text, fail).points).toEqual(points.map(([atMs, value]) => ({ atMs, value })))
  })

  it.each([
    ['no unit', '100', /cannot read load "100"/],
    ['two units', '100rps, 50%@1m', /requests a second and a utilization/],
    ['an end before the start', '1rps@2m..1m', /ends before it starts/],
    ['a wrong time', '1rps@soon', /cannot read load "1rps@soon"/],
  ])('refuses %s', (_, text, message) => {
    expect(() => readLoadText(text, fail)).toThrow(message)
  })
})

describe('readLoadFile()', () => {
  it.each([
    ['seconds', 'time,rps\n0,100\n30,250\n', [0, 100], [30_000, 250]],
    ['durations', 'time;rps\n1m;100rps\n90s;250\n', [0, 100], [30_000, 250]],
    ['dates', '"timestamp","requests"\n2026-01-01T00:00:00Z,100\n2026-01-01T00:00:30Z,250', [0, 100], [30_000, 250]],
  ])('reads %s', (_, text, ...points) => {
    expect(readLoadFile(text, fail)).toEqual({ unit: 'rps', points: points.map(([atMs, value]) => ({ atMs, value })) })
  })

  it('takes a utilization for that of the replicas that had it', () => {
    const given = readLoadFile('time,utilisation,replicas\n0,50%,4\n60,90,2', fail)
    expect(loadPoints(given, undefined, 10, fail)).toEqual([
      { atMs: 0, pods: 2 },
      { atMs: 60_000, pods: 1.8 },
    ])
  })

  it.each([
    ['no names', '0,1\n1,2', /name the columns/],
    ['no row', 'time,rps', /no row/],
    ['a wrong number', 'time,rps\n0,many', /cannot read the requests a second "many" of row 1/],
    ['times that go back', 'time,rps\n10,1\n5,1', /ascending/],
  ])('refuses %s', (_, text, message) => {
    expect(() => readLoadFile(text, fail)).toThrow(message)
  })
})

it('needs the capacity of a pod for requests a second', () => {
  expect(() => loadPoints(readLoadText('5rps', fail), undefined, 1, fail)).toThrow('--capacity')
  expect(loadPoints(readLoadText('5rps', fail), readCapacity('2rps', fail), 1, fail)).toEqual([{ atMs: 0, pods: 2.5 }])
  expect(() => readCapacity('0rps', fail)).toThrow('cannot read capacity')
})

const pod = (name: string, isReady: boolean, more: object = {}): Pod =>
  ({
    metadata: { name, ...more },
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: '400m' } } }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  }) as Pod

describe('usageUnder()', () => {
  const load: PlannedLoad = {
    target,
    points: [{ atMs: 0, pods: 1.5 }],
    capacity: 50,
    autoscaler: { name: 'web', quietMs: 0, podMetrics: ['rate'] },
  }
  const cpuOf = (pods: readonly Pod[], pods100: number) =>
    [...usageUnder(load, pods100, pods)].map(([name, usage]) => [name, usage.get('cpu')])

  it('shares the load among the pods that are ready and not terminating', () => {
    const pods = [pod('a', true), pod('b', true), pod('c', false), pod('d', true, { deletionTimestamp: '2026-01-01T00:00:00Z' })]
    expect(cpuOf(pods, 1.5)).toEqual([
      ['a', 300],
      ['b', 300],
      ['c', 0],
      ['d', 0],
    ])
    expect(usageUnder(load, 1.5, pods).get('a')?.get('rate')).toBe(37_500)
  })

  it('lets no pod work beyond its capacity', () => {
    expect(cpuOf([pod('a', true)], 7)).toEqual([['a', 400]])
  })

  it('knows the load of a moment', () => {
    const changing = {
      ...load,
      points: [
        { atMs: 0, pods: 1 },
        { atMs: 60_000, pods: 2 },
      ],
    }
    expect([-5, 0, 59_999, 60_000, 1e9].map((atMs) => loadAt(changing, atMs))).toEqual([1, 1, 1, 2, 2])
  })
})

describe('MeasuredLoad', () => {
  const sized = (replicas: number) => ({ ...target, replicas }) as never
  const measure = (events: readonly (number | { readonly size: number })[]) => {
    const load = new MeasuredLoad()
    for (const event of events)
      if (typeof event === 'number') load.take({ ...target, pods: event, isAutoscaled: true })
      else load.size(sized(event.size))
    return load.measures
  }

  it.each<[string, readonly (number | { readonly size: number })[], number]>([
    ['follows a load up and down', [2, { size: 3 }, 6, { size: 8 }, 2, { size: 3 }], 0],
    ['goes up and down under a constant load', [2, { size: 3 }, { size: 5 }, { size: 3 }], 1],
    ['goes on and on', [2, { size: 3 }, { size: 5 }, { size: 3 }, { size: 5 }, { size: 3 }], 3],
    ['grows in two steps', [2, { size: 3 }, { size: 5 }, { size: 9 }], 0],
    ['goes down although the load grows', [2, { size: 3 }, { size: 5 }, 3, { size: 4 }], 1],
  ])('counts how often a size that %s turned without the load', (_, events, oscillations) => {
    expect(measure(events)).toMatchObject({ oscillations })
  })

  it('adds up what ready pods had no capacity for', () => {
    const load = new MeasuredLoad()
    load.take({ ...target, pods: 4, capacity: 50 })
    load.pass(10_000, () => 3)
    load.pass(10_000, () => 9)
    expect(load.measures).toEqual({ lostLoad: 0.125, lostRequests: 500 })
  })
})

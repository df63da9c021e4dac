import { describe, expect, it } from 'vitest'
import type { KubernetesObject } from '../../../api/types.ts'
import { sizesOf } from '../output/summary.ts'
import type { Plan, PlannedObject, PlannedStep } from '../plan.ts'
import { simulate } from '../simulate.ts'
import { planLoads } from './plan-loads.ts'

const failAt = (flag: string) => (message: string) => {
  throw new Error(`${flag}: ${message}`)
}
const labels = { app: 'web' }
const at = (object: object): PlannedObject => ({ object: object as KubernetesObject, place: { source: 'web.yaml' } })
const web = (spec: object = {}) =>
  at({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '500m' } } }] },
      },
      ...spec,
    },
  })
const autoscaler = (spec: object = {}) =>
  at({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 4,
      maxReplicas: 20,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }],
      ...spec,
    },
  })
const target = { kind: 'Deployment', namespace: 'default', name: 'web' }
const image: PlannedStep = { atMs: 0, text: '', action: { type: 'image', target, image: 'web:2' } }

async function play(load: string, given: readonly PlannedObject[], { steps = [image], policies = ['None'] }: Partial<Plan> = {}) {
  const { objects, loads, autoscaled, ...planned } = planLoads(
    { load: [load], capacity: ['50rps'], readText: () => '' },
    given,
    steps,
    failAt,
  )
  const result = await simulate({
    title: '',
    command: '',
    sources: [],
    ignored: planned.ignored,
    objects,
    nodes: [{ count: 5, cpu: '8', memory: '32Gi' }],
    timing: { startup: '20s', stop: '30s' },
    loads,
    autoscaled,
    policies,
    seed: 1,
    runs: 1,
    steps: planned.steps,
    withinMs: 3_600_000,
    expectations: [],
    assumptions: planned.notes,
  })
  return result.outcomes.map(({ measures, series }) => ({ measures, sizes: sizesOf(series).map(({ size }) => size), series }))
}

describe('a rollout under a load', () => {
  it('starts at the size for the first load, follows a peak, and returns', async () => {
    const [outcome] = await play('100rps, 400rps@2m..10m', [web(), autoscaler()])
    // 2 pods' work at 70 % takes 3, and 4 are the least. Four pods at 100 % take 6 in the first sync, and so on, up to 8 / 70 %.
    expect(outcome!.sizes).toEqual([4, 6, 9, 12, 4])
    expect(outcome!.measures).toMatchObject({ smallestSize: 4, largestSize: 12, rescales: 4, oscillations: 0 })
    expect(outcome!.measures.lostLoad).toBeGreaterThan(0)
    expect(outcome!.measures.lostRequests).toBeGreaterThan(0)
    expect(outcome!.series.load).toContain(8)
    // What the autoscaler does after the rollout does not prolong it.
    expect(outcome!.measures.completeAfterMs).toBe(40_000)
    expect(outcome!.measures.oldGoneAfterMs).toBeLessThan(120_000)
  })

  it('ends with the old pods also under TerminationComplete, where they have terminated before it is complete', async () => {
    const [outcome] = await play('100rps, 400rps@2m..10m', [web(), autoscaler()], { policies: ['TerminationComplete'] })
    expect(outcome!.sizes).toEqual([4, 6, 9, 12, 4])
    expect(outcome!.measures.oldGoneAfterMs).toBeLessThanOrEqual(outcome!.measures.completeAfterMs!)
  })

  it('measures what is lost without an autoscaler, too', async () => {
    const [outcome] = await play('90%', [web({ replicas: 10, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 5 } } })])
    // Five of ten pods start for 20 s, twice, while 9 are needed.
    expect(outcome!.measures.lostLoad).toBeCloseTo((4 * 40) / (9 * (outcome!.series.times.at(-1)! / 1000)), 5)
    expect(outcome!.measures.rescales).toBeUndefined()
  })

  it('watches a last load for a minute without an autoscaler', async () => {
    const [outcome] = await play('60%, 200%@5m', [web({ replicas: 10 })])
    expect(outcome!.series.times.at(-1)).toBe(360_000)
    // 20 are needed of 10 for a minute, after 6 for five minutes.
    expect(outcome!.measures.lostLoad).toBeCloseTo((10 * 60) / (6 * 300 + 20 * 60), 2)
  })

  it('reacts to the capacity that a rollout takes away, and goes back: it oscillates', async () => {
    const spec = { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '50%' } }, minReadySeconds: 60 }
    const behavior = { scaleDown: { stabilizationWindowSeconds: 0 } }
    const byRate = autoscaler({
      behavior,
      metrics: [{ type: 'Pods', pods: { metric: { name: 'rate' }, target: { type: 'AverageValue', averageValue: '35' } } }],
    })
    const [outcome] = await play('560rps', [web(spec), byRate])
    const [first = 0] = outcome!.sizes
    expect(first).toBeGreaterThanOrEqual(16)
    expect(outcome!.measures.oscillations).toBeGreaterThan(0)
    // Pods that start serve nothing, which lowers the average.
    expect(outcome!.measures.smallestSize).toBeLessThan(first)
    // 15 pods serve 37.3 each, which is within the tolerance of a tenth.
    expect(outcome!.sizes.at(-1)).toBeGreaterThanOrEqual(15)
  })

  it('keeps the size where a new manifest says nothing of it, and resets it where it does', async () => {
    const apply = (spec: object): PlannedStep => ({
      atMs: 0,
      text: '',
      action: { type: 'apply', objects: [web({ ...spec, minReadySeconds: 1 })] },
    })
    const given = [web(), autoscaler()]
    const [kept] = await play('400rps', given, { steps: [apply({})] })
    expect(kept!.sizes).toEqual([12])
    const [reset] = await play('400rps', given, { steps: [apply({ replicas: 4 })] })
    expect(reset!.sizes.slice(0, 2)).toEqual([4, 8])
    expect(reset!.sizes.at(-1)).toBe(12)
    expect(reset!.measures.lostLoad).toBeGreaterThan(0)
  })
})

describe('planLoads()', () => {
  const plan = (load: readonly string[], given: readonly PlannedObject[]) =>
    planLoads({ load, capacity: ['50rps'], readText: () => '' }, given, [], failAt)

  it.each<[string, object, number | undefined, string | undefined]>([
    ['no size: the least', {}, 4, 'web starts with 4 replicas: minReplicas of HorizontalPodAutoscaler web'],
    ['a smaller size: the least', { replicas: 2 }, 4, 'web starts with 4 replicas: minReplicas, not fewer of HorizontalPodAutoscaler web'],
    ['a larger size: the most', { replicas: 30 }, 20, 'web starts with 20 replicas: maxReplicas, not more of HorizontalPodAutoscaler web'],
    ['a size in between', { replicas: 7 }, 7, undefined],
    ['no replicas: the autoscaler is off', { replicas: 0 }, 0, undefined],
  ])('starts with %s', (_, spec, replicas, note) => {
    const { objects, notes, ignored } = plan([], [web(spec), autoscaler()])
    expect(objects.map(({ object }) => (object as { spec?: { replicas?: number } }).spec?.replicas)).toEqual([replicas])
    expect(notes).toEqual(note === undefined ? [] : [note])
    expect(ignored).toEqual(['HorizontalPodAutoscaler/web (the size stays as it is: --load)'])
  })

  it('leaves out metrics that do not follow from a load, and says so', () => {
    const metric = (name: string) => ({ type: 'Resource', resource: { name, target: { type: 'Utilization', averageUtilization: 70 } } })
    const { objects, notes } = plan(['100rps'], [web({ replicas: 4 }), autoscaler({ metrics: [metric('memory'), metric('cpu')] })])
    expect(objects[1]!.object).toMatchObject({ spec: { metrics: [{ resource: { name: 'cpu' } }] } })
    expect(notes).toEqual(['HorizontalPodAutoscaler web without memory: the load sets the CPU'])
  })

  it('says that an autoscaler does nothing where a container requests no CPU', () => {
    const bare = web({ replicas: 4, template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } } })
    expect(plan(['100rps'], [bare, autoscaler()]).notes).toEqual([
      'HorizontalPodAutoscaler web cannot scale: container web requests no CPU, as in Kubernetes',
    ])
  })
})

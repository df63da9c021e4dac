import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import {
  gatesWith,
  type SampleDeployment,
  type SampleSet,
  sampleDeployment,
  sampleSet,
  sampleSnapshot,
  scaledFor,
  startMs,
} from '../testing/sample-objects.ts'
import { annotationOf, desiredReplicasAnnotation, maxReplicasAnnotation, replicasBeforeScaleAnnotation } from './annotations.ts'
import { planDeployment } from './deployment.ts'
import { sizeOf, sortSets } from './replica-sets.ts'
import { scaleStateOf } from './scale-state.ts'

const isScaling = (deployment: Stored<Deployment>, sets: readonly Stored<ReplicaSet>[]) =>
  scaleStateOf(deployment, sortSets(deployment, sets)) === 'pending'

/** A Deployment with ReplicaSets that reach their size at once. */
class Bench {
  deployment: Stored<Deployment>
  sets: Stored<ReplicaSet>[]
  gates = gatesWith({})

  constructor(deployment: SampleDeployment, sets: readonly SampleSet[]) {
    this.deployment = sampleDeployment({ status: { observedGeneration: 1 }, ...deployment })
    this.sets = sets.map(sampleSet)
  }

  /** A change of the Deployment's spec. */
  change(spec: Partial<NonNullable<Deployment['spec']>>): void {
    const { metadata } = this.deployment
    this.deployment = {
      ...this.deployment,
      metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 },
      spec: { ...this.deployment.spec!, ...spec },
    }
  }

  /** How many pods of the first ReplicaSet are terminating; undefined: it does not report it. */
  terminating(count: number | undefined): void {
    const [first, ...rest] = this.sets as [Stored<ReplicaSet>, ...Stored<ReplicaSet>[]]
    const { terminatingReplicas: _, ...status } = first.status!
    this.sets = [{ ...first, status: count === undefined ? status : { ...status, terminatingReplicas: count } }, ...rest]
  }

  sync() {
    return planDeployment(sampleSnapshot(this.deployment, this.sets, { gates: this.gates }), startMs)
  }

  /** Syncs until nothing changes; `writes` ends it early. */
  settle(writes = Number.POSITIVE_INFINITY): this {
    for (let syncs = 0; syncs < 50; syncs++) {
      const plan = this.sync()
      if (plan.actions.length === 0 && plan.status === undefined) return this
      for (const action of plan.actions) {
        if (writes-- <= 0) return this
        if (action.action === 'update-set') this.write(action.replicaSet)
        else if (action.action === 'create-set') this.sets.push(this.created(action.replicaSet))
      }
      if (writes <= 0) return this
      if (plan.status !== undefined) this.deployment = plan.status
    }
    throw new Error('never settles')
  }

  write(next: Stored<ReplicaSet>): void {
    const at = this.sets.findIndex(({ metadata }) => metadata.uid === next.metadata.uid)
    const size = sizeOf(next)
    const status = { ...next.status!, replicas: size, readyReplicas: size, availableReplicas: size }
    this.sets[at] = { ...next, status }
  }

  created(set: ReplicaSet): Stored<ReplicaSet> {
    const sample = sampleSet({ size: sizeOf(set), age: this.sets.length + 1 })
    return { ...sample, metadata: { ...sample.metadata, annotations: set.metadata!.annotations! }, spec: set.spec! }
  }

  get sizes(): number[] {
    return this.sets.map(sizeOf)
  }

  annotation(index: number, key: string): string | undefined {
    return annotationOf(this.sets[index]!, key)
  }
}

const threeSets = (sizes: readonly [number, number, number], annotations = scaledFor(100, 110)): SampleSet[] =>
  sizes.map((size, index) => ({ size, age: 3 - index, image: index === 0 ? 'a:1' : `old:${index}`, annotations }))

/** The ReplicaSets of a rollout that cannot proceed: no new pod is available. */
const stuck = (sets: readonly SampleSet[]): SampleSet[] =>
  sets.map((set) => ({ ...set, status: { availableReplicas: 0, readyReplicas: 0 } }))

describe('planScale(): the first table of KEP-5882, without a policy', () => {
  for (const [name, terminating] of [
    ['no pod is terminating', 0],
    ['pods are terminating', 40],
    ['the number of terminating pods is unknown', undefined],
  ] as const)
    it(`T1 60/30/20, T2 71/35/24, T3 76/38/26 when ${name}`, () => {
      const bench = new Bench({ replicas: 100, maxSurge: 10, maxUnavailable: 0 }, stuck(threeSets([60, 30, 20])))
      bench.terminating(terminating)
      expect(bench.sizes).toEqual([60, 30, 20])
      bench.change({ replicas: 120 })
      scaleOnly(bench)
      expect(bench.sizes).toEqual([71, 35, 24])
      bench.change({ replicas: 130 })
      scaleOnly(bench)
      expect(bench.sizes).toEqual([76, 38, 26])
    })
})

/** One sync: the step of the scale, its ReplicaSets and its status. */
function scaleOnly(bench: Bench): void {
  const { actions, status } = bench.sync()
  for (const action of actions) if (action.action === 'update-set') bench.write(action.replicaSet)
  if (status !== undefined) bench.deployment = status
}

const complete: SampleDeployment = { replicas: 100, maxSurge: 10, maxUnavailable: 0, policy: 'TerminationComplete' }

describe('planScale(): the second table of KEP-5882, one scale in steps', () => {
  const bench = new Bench(complete, stuck(threeSets([50, 30, 20])))
  bench.terminating(15)

  it('T1: 50/30/20 with 15 terminating', () => expect(bench.sizes).toEqual([50, 30, 20]))

  it('T2: 59/35/21 with 15 terminating, at 120', () => {
    bench.change({ replicas: 120 })
    scaleOnly(bench)
    expect(bench.sizes).toEqual([59, 35, 21])
  })

  it('T2: pending ReplicaSets store their size before the scale, the other one does not', () => {
    const remembered = (index: number) =>
      [replicasBeforeScaleAnnotation, desiredReplicasAnnotation, maxReplicasAnnotation].map((key) => bench.annotation(index, key))
    expect(remembered(0)).toEqual(['50', '100', '110'])
    expect(remembered(1)).toEqual([undefined, '120', '130'])
    expect(remembered(2)).toEqual(['20', '100', '110'])
  })

  it('T2: nothing changes until a pod has terminated', () => {
    bench.settle()
    expect(bench.sizes).toEqual([59, 35, 21])
  })

  it('T3: 66/35/24 with 5 terminating', () => {
    bench.terminating(5)
    scaleOnly(bench)
    expect(bench.sizes).toEqual([66, 35, 24])
  })

  it('T4: 71/35/24 with none, and nothing is remembered', () => {
    bench.terminating(0)
    scaleOnly(bench)
    expect(bench.sizes).toEqual([71, 35, 24])
    for (const index of [0, 1, 2]) {
      expect(bench.annotation(index, replicasBeforeScaleAnnotation)).toBeUndefined()
      expect(bench.annotation(index, desiredReplicasAnnotation)).toBe('120')
      expect(bench.annotation(index, maxReplicasAnnotation)).toBe('130')
    }
  })
})

describe('planScale(): the third table of KEP-5882, a second scale while the first is pending', () => {
  const bench = new Bench(complete, stuck(threeSets([50, 30, 20])))
  for (const [name, terminating, replicas, sizes] of [
    ['T2: 59/35/21 with 15 terminating, at 120', 15, 120, [59, 35, 21]],
    ['T3: 66/38/21 with 15 terminating, at 130: the pending set waits', 15, 130, [66, 38, 21]],
    ['T4: 72/38/25 with 5 terminating', 5, 130, [72, 38, 25]],
    ['T5: 77/38/25 with none', 0, 130, [77, 38, 25]],
  ] as const)
    it(name, () => {
      bench.terminating(terminating)
      if (bench.deployment.spec?.replicas !== replicas) bench.change({ replicas })
      scaleOnly(bench)
      expect(bench.sizes).toEqual(sizes)
      // Further syncs with the same pods change nothing.
      if (terminating > 0) expect(bench.settle().sizes).toEqual(sizes)
    })
})

describe('planScale() with one set', () => {
  const one = (replicas: number, more: SampleDeployment = {}) =>
    new Bench({ replicas, maxSurge: 0, maxUnavailable: 1, policy: 'TerminationComplete', ...more }, [
      { size: replicas, annotations: scaledFor(replicas, replicas) },
    ])

  for (const strategy of ['RollingUpdate', 'Recreate'] as const)
    it(`${strategy}: 5 → 2 → 5 waits for the three under TerminationComplete`, () => {
      const bench = one(5, { strategy })
      bench.change({ replicas: 2 })
      bench.settle()
      expect(bench.sizes).toEqual([2])
      bench.terminating(3)
      bench.change({ replicas: 5 })
      bench.settle()
      expect(bench.sizes).toEqual([2])
      bench.terminating(1)
      bench.settle()
      expect(bench.sizes).toEqual([4])
      bench.terminating(0)
      bench.settle()
      expect(bench.sizes).toEqual([5])
      expect(bench.annotation(0, replicasBeforeScaleAnnotation)).toBeUndefined()
    })

  for (const policy of [undefined, 'TerminationStarted'] as const)
    for (const strategy of ['RollingUpdate', 'Recreate'] as const)
      it(`${strategy}: 5 → 2 → 5 waits for nothing under ${policy ?? 'no policy'}`, () => {
        const bench = new Bench({ replicas: 5, strategy, maxSurge: 0, maxUnavailable: 1, ...(policy && { policy }) }, [
          { size: 2, annotations: scaledFor(2, 2) },
        ])
        bench.terminating(3)
        bench.settle()
        expect(bench.sizes).toEqual([5])
      })

  it('uses the surge that no rollout needs', () => {
    const bench = new Bench({ replicas: 14, maxSurge: 2, maxUnavailable: 0, policy: 'TerminationComplete' }, [
      { size: 10, annotations: scaledFor(10, 12) },
    ])
    bench.terminating(2)
    bench.settle()
    expect(bench.sizes).toEqual([14])
  })

  it('clears a pending scale that a later one makes unnecessary, and a template change still rolls out', () => {
    const bench = one(10)
    bench.terminating(2)
    bench.change({ replicas: 14 })
    bench.settle()
    expect(bench.sizes).toEqual([12])
    expect(bench.annotation(0, replicasBeforeScaleAnnotation)).toBe('10')
    bench.change({ replicas: 12 })
    bench.settle()
    expect(bench.sizes).toEqual([12])
    expect(bench.annotation(0, replicasBeforeScaleAnnotation)).toBeUndefined()
    expect(bench.annotation(0, desiredReplicasAnnotation)).toBe('12')
    bench.terminating(0)
    bench.change({ template: sampleDeployment({ image: 'a:2' }).spec!.template })
    bench.settle()
    expect(bench.sizes).toEqual([0, 12])
  })

  it('returns to the size before a pending scale, and nothing is pending', () => {
    const bench = one(10)
    bench.terminating(2)
    bench.change({ replicas: 14 })
    bench.settle()
    bench.change({ replicas: 10 })
    bench.settle()
    expect(bench.sizes).toEqual([10])
    expect(bench.annotation(0, replicasBeforeScaleAnnotation)).toBeUndefined()
  })

  it('a template change ends a pending scale: the new set gets the room', () => {
    const bench = one(10)
    bench.terminating(2)
    bench.change({ replicas: 14 })
    bench.settle()
    bench.change({ template: sampleDeployment({ image: 'a:2' }).spec!.template })
    bench.settle()
    expect(bench.sizes).toEqual([12, 0])
    expect(bench.annotation(0, replicasBeforeScaleAnnotation)).toBeUndefined()
    bench.terminating(1)
    expect(bench.settle(1).sizes).toEqual([12, 1])
    bench.terminating(0)
    bench.settle()
    expect(bench.sizes).toEqual([0, 14])
  })

  for (const writes of [0, 1, 2, 3])
    it(`reusing a ReplicaSet that still has pods ends a pending scale, also when the controller stops after ${writes} writes`, () => {
      const bench = new Bench({ replicas: 6, maxSurge: 2, maxUnavailable: 2, image: 'a:2', policy: 'TerminationComplete' }, [
        { size: 5, age: 1, image: 'a:1', annotations: scaledFor(6, 8) },
        { size: 2, age: 2, image: 'a:2', annotations: scaledFor(6, 8), status: { availableReplicas: 0, readyReplicas: 0 } },
      ])
      bench.terminating(1)
      bench.change({ replicas: 8 })
      scaleOnly(bench)
      expect([0, 1].map((index) => bench.annotation(index, replicasBeforeScaleAnnotation))).toContain('5')
      bench.change({ template: sampleDeployment({ image: 'a:1' }).spec!.template })
      bench.settle(writes)
      bench.settle()
      expect(bench.sizes).toEqual([8, 0])
      for (const index of [0, 1]) expect(bench.annotation(index, replicasBeforeScaleAnnotation)).toBeUndefined()
    })

  it('a paused Deployment changes no size when it is paused or annotated, fills up to spec.replicas in proportion, and follows maxSurge', () => {
    const bench = new Bench({ replicas: 20, maxSurge: 0, maxUnavailable: '50%', image: 'a:2', policy: 'TerminationComplete' }, [
      { size: 10, age: 1, image: 'a:1', annotations: scaledFor(20, 20) },
      { size: 2, age: 2, image: 'a:2', annotations: scaledFor(20, 20), status: { availableReplicas: 0 } },
    ])
    bench.terminating(8)
    bench.change({ paused: true })
    bench.settle()
    expect(bench.sizes).toEqual([10, 2])
    bench.terminating(0)
    bench.settle()
    expect(bench.sizes).toEqual([17, 3])
    bench.change({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 4, maxUnavailable: '50%' } } })
    bench.settle()
    expect(bench.sizes.reduce((sum, size) => sum + size)).toBe(24)
  })

  it('scales a paused Deployment from 0', () => {
    const bench = one(0, { spec: { paused: true } })
    bench.change({ replicas: 3 })
    bench.settle()
    expect(bench.sizes).toEqual([3])
  })

  it('fills a paused Deployment up to spec.replicas as pods terminate, without a pending scale', () => {
    const spec = { spec: { paused: true }, maxSurge: 1, maxUnavailable: 0, policy: 'TerminationComplete' } as const
    const bench = new Bench({ replicas: 8, ...spec }, [{ size: 5, annotations: scaledFor(8, 9) }])
    for (const [terminating, size] of [
      [3, 6],
      [2, 7],
      [0, 8],
    ] as const) {
      bench.terminating(terminating)
      bench.settle()
      expect(bench.sizes).toEqual([size])
      expect(bench.annotation(0, replicasBeforeScaleAnnotation)).toBeUndefined()
    }
  })

  it('a paused Deployment whose scale is taken back returns to the former size', () => {
    const bench = one(4, { spec: { paused: true } })
    bench.terminating(3)
    bench.change({ replicas: 8 })
    bench.settle()
    expect(bench.sizes).toEqual([5])
    bench.change({ replicas: 4 })
    bench.settle()
    expect(bench.sizes).toEqual([4])
    expect(bench.annotation(0, replicasBeforeScaleAnnotation)).toBeUndefined()
  })

  it.each([
    ['TerminationComplete', 1],
    ['TerminationComplete', 3],
    [undefined, 1],
    [undefined, 3],
  ] as const)('removes the annotation of a scale that is not pending, and changes no size (policy %s, maxSurge %i)', (policy, maxSurge) => {
    const done = scaledFor(5, 5 + maxSurge)
    const stale = { ...done, [replicasBeforeScaleAnnotation]: '4' }
    const bench = new Bench({ replicas: 5, maxSurge, maxUnavailable: 0, image: 'a:2', ...(policy && { policy }) }, [
      { size: 1, age: 1, image: 'a:1', annotations: stale, status: { replicas: 1 } },
      { size: 5, age: 2, image: 'a:2', annotations: done, status: { replicas: 5, availableReplicas: 0 } },
    ])
    bench.settle()
    expect(bench.sizes).toEqual([1, 5])
    expect(bench.annotation(0, replicasBeforeScaleAnnotation)).toBeUndefined()
  })

  it('scales a paused Deployment in steps', () => {
    const bench = one(4, { spec: { paused: true } })
    bench.terminating(3)
    bench.change({ replicas: 8 })
    bench.settle()
    expect(bench.sizes).toEqual([5])
    bench.terminating(0)
    bench.settle()
    expect(bench.sizes).toEqual([8])
  })

  it('counts the size of a set that was never observed, and no terminating pods', () => {
    const bench = new Bench({ replicas: 8, maxSurge: 0, maxUnavailable: 1, policy: 'TerminationComplete' }, [
      { size: 5, annotations: scaledFor(5, 5), status: { replicas: 0, observedGeneration: 0 } },
    ])
    bench.terminating(undefined)
    scaleOnly(bench)
    expect(bench.sizes).toEqual([8])
  })

  it('scales nothing up, and requeues, while an observed ReplicaSet does not report its terminating pods', () => {
    const bench = one(5)
    bench.terminating(undefined)
    bench.change({ replicas: 9 })
    expect(bench.sync().requeueAtMs).toBeGreaterThan(startMs)
    bench.settle()
    expect(bench.sizes).toEqual([5])
    bench.terminating(0)
    bench.settle()
    expect(bench.sizes).toEqual([9])
  })

  it('scales down whatever is terminating or unknown', () => {
    const bench = one(9)
    bench.terminating(undefined)
    bench.change({ replicas: 3 })
    bench.settle()
    expect(bench.sizes).toEqual([3])
  })

  it('loses nothing when the gate is off for a while', () => {
    const bench = new Bench(complete, stuck(threeSets([50, 30, 20])))
    bench.terminating(15)
    bench.change({ replicas: 120 })
    scaleOnly(bench)
    expect(bench.sizes).toEqual([59, 35, 21])
    bench.gates = gatesWith({ DeploymentPodReplacementPolicy: false })
    scaleOnly(bench)
    expect(bench.sizes).toEqual([71, 35, 24])
    bench.gates = gatesWith({})
    expect([0, 1, 2].map((index) => bench.annotation(index, replicasBeforeScaleAnnotation))).toEqual([undefined, undefined, undefined])
  })
})

describe('planScale() in the middle of a rollout, as Kubernetes does it', () => {
  const rollout = () =>
    new Bench({ replicas: 10, maxSurge: 3, maxUnavailable: 2 }, [
      { size: 8, age: 1, image: 'old', annotations: scaledFor(10, 13) },
      { size: 5, age: 2, annotations: scaledFor(10, 13), status: { availableReplicas: 0 } },
    ])

  it('distributes added and removed replicas', () => {
    const bench = rollout()
    bench.change({ replicas: 15 })
    scaleOnly(bench)
    expect(bench.sizes).toEqual([11, 7])
    bench.change({ replicas: 5 })
    scaleOnly(bench)
    expect(bench.sizes).toEqual([5, 3])
  })

  it('reaches the same sizes when it stops between two writes', () => {
    const bench = rollout()
    bench.change({ replicas: 15 })
    bench.settle(1)
    expect(bench.sizes).toEqual([11, 5])
    scaleOnly(bench)
    expect(bench.sizes).toEqual([11, 7])
  })

  it('scales adopted old ReplicaSets to 0 when the new one is complete', () => {
    const bench = new Bench({ replicas: 4, maxSurge: 1 }, [
      { size: 4, age: 1, annotations: scaledFor(4, 5) },
      { size: 3, age: 2, image: 'adopted', annotations: scaledFor(3, 3) },
    ])
    scaleOnly(bench)
    expect(bench.sizes).toEqual([4, 0])
  })

  it.each([
    // In Kubernetes the adopted one also gets its share of the larger size.
    ['without a policy', undefined, [3, 2]],
    ['under TerminationComplete', 'TerminationComplete', [2, 3]],
  ] as const)('takes what is too much after an adoption from the largest, not from the adopted new one, %s', (_name, policy, expected) => {
    const bench = new Bench({ replicas: 4, maxSurge: 1, maxUnavailable: 1, ...(policy && { policy }) }, [
      { size: 2, age: 1, annotations: scaledFor(2, 3) },
      { size: 4, age: 2, annotations: scaledFor(4, 5) },
    ])
    const { actions } = bench.sync()
    for (const action of actions) if (action.action === 'update-set') bench.write(action.replicaSet)
    expect(bench.sets.map(sizeOf)).toEqual(expected)
  })

  it('does not confuse a partial scale with that', () => {
    const bench = new Bench({ replicas: 5, maxSurge: 3, generation: 2 }, [
      { size: 8, age: 1, image: 'old', annotations: scaledFor(10, 13) },
      { size: 5, age: 2, annotations: scaledFor(5, 8) },
    ])
    scaleOnly(bench)
    expect(bench.sizes).toEqual([3, 5])
  })
})

describe('sets of one template and one second', () => {
  it('settle with all pods in the first by name, whatever their revisions', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ size: fc.nat(5), revision: fc.integer({ min: 1, max: 4 }) }), { minLength: 2, maxLength: 4 }),
        fc.constantFrom(undefined, 'TerminationComplete' as const),
        (sets, policy) => {
          const bench = new Bench(
            { replicas: 3, maxSurge: 1, maxUnavailable: 1, ...(policy && { policy }) },
            sets.map(({ size, revision }, index) => ({
              size,
              age: 1,
              name: `web-${index}`,
              annotations: { ...scaledFor(3, 4), 'deployment.kubernetes.io/revision': String(revision) },
            })),
          )
          bench.settle()
          expect(bench.sizes).toEqual(sets.map((_, index) => (index === 0 ? 3 : 0)))
        },
      ),
    )
  })
})

describe('planScale() that stops between any two writes', () => {
  const scaling = fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 4 }),
    maxSurge: fc.integer({ min: 0, max: 8 }),
    replicas: fc.integer({ min: 0, max: 90 }),
    terminating: fc.integer({ min: 0, max: 20 }),
    stops: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 }),
    policy: fc.constantFrom(undefined, 'TerminationComplete' as const),
  })

  /** The sizes when the scale is done; the new ReplicaSet is the first, and pods become available at once. */
  const run = (
    { sizes, maxSurge, replicas, terminating, policy }: typeof scaling extends fc.Arbitrary<infer T> ? T : never,
    stops: readonly number[],
  ) => {
    const before = Math.max(1, sizes.reduce((sum, size) => sum + size, 0) - maxSurge)
    const bench = new Bench(
      { replicas: before, maxSurge, maxUnavailable: 1, ...(policy && { policy }) },
      sizes.map((size, index) => ({
        size,
        age: 9 - index,
        image: index === 0 ? 'a:1' : `old:${index}`,
        annotations: scaledFor(before, before + maxSurge),
      })),
    )
    bench.terminating(terminating)
    bench.change({ replicas })
    const left = [...stops]
    for (let syncs = 0; syncs < 60 && isScaling(bench.deployment, bench.sets); syncs++) {
      const { actions, status } = bench.sync()
      const stop = left.shift() ?? Number.POSITIVE_INFINITY
      for (const action of actions.slice(0, stop)) if (action.action === 'update-set') bench.write(action.replicaSet)
      if (stop >= actions.length && status !== undefined) bench.deployment = status
      if (actions.length === 0) bench.terminating(0)
    }
    expect(isScaling(bench.deployment, bench.sets)).toBe(false)
    return bench.sizes
  }

  it('reaches the sizes of an uninterrupted scale', () => {
    fc.assert(
      fc.property(scaling, (given) => {
        expect(run(given, given.stops)).toEqual(run(given, []))
      }),
      { numRuns: 200 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kubernetesNewSize, kubernetesOldSizes, kubernetesScale, type ModelSet } from '../testing/kubernetes-model.ts'
import { sampleDeployment, sampleSet, sampleSnapshot } from '../testing/sample-objects.ts'
import { accountOf } from './capacity.ts'
import { nextSizes } from './proportions.ts'
import { sizeOf } from './replica-sets.ts'
import { nextNewSize, planScaleDownOld } from './rolling.ts'
import { settingsOf } from './settings.ts'

/** Sets of one Deployment before a scale: they share its former maximum. */
const setsBeforeScale = fc
  .tuple(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 5 }), fc.integer({ min: 0, max: 20 }))
  .map(([sizes, slack]): ModelSet[] => {
    const max = sizes.reduce((total, size) => total + size, slack)
    return sizes.map((size, born) => ({ size, available: 0, max, born }))
  })

describe('no policy: as Kubernetes', () => {
  it('shares a scale as Kubernetes does', () => {
    fc.assert(
      fc.property(setsBeforeScale, fc.integer({ min: 0, max: 250 }), fc.integer({ min: 0, max: 30 }), (sets, replicas, surge) => {
        const expected = kubernetesScale(sets, replicas, surge)
        // The newest is first in the request.
        const newestFirst = [...sets].reverse()
        const sizes = nextSizes({
          sets: newestFirst.map(({ size, max }) => ({ progress: 'due' as const, size, base: size, maxBefore: max })),
          replicas,
          max: replicas + surge,
          room: undefined,
          isFirstStep: true,
        })
        const mine: number[] = []
        for (const { index, size, isDone } of sizes) {
          expect(isDone).toBe(true)
          mine[sets.length - 1 - index] = size
        }
        expect(mine).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })

  const anySet = fc
    .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }))
    .map(([size, missing]) => ({ size, available: Math.max(0, size - missing) }))
  const rollout = fc.record({
    replicas: fc.integer({ min: 0, max: 30 }),
    surge: fc.integer({ min: 0, max: 10 }),
    unavailable: fc.integer({ min: 0, max: 10 }),
    next: anySet,
    old: fc.array(anySet, { maxLength: 4 }),
    policy: fc.constantFrom(undefined, 'TerminationStarted' as const),
  })

  it('takes the same steps of a rolling update as Kubernetes', () => {
    fc.assert(
      fc.property(rollout, ({ replicas, surge, unavailable, next, old, policy }) => {
        const deployment = sampleDeployment({ replicas, maxSurge: surge, maxUnavailable: unavailable, ...(policy && { policy }) })
        const asSet = ({ size, available }: { size: number; available: number }, age: number, image: string) =>
          sampleSet({ size, age, image, status: { availableReplicas: available, terminatingReplicas: 7 } })
        const oldSets = old.map((set, index) => asSet(set, index + 1, 'old'))
        const newSet = asSet(next, 9, 'a:1')
        const snapshot = sampleSnapshot(deployment, [...oldSets, newSet])
        const total = [next, ...old].reduce((sum, { size }) => sum + size, 0)
        const sync = { snapshot, settings: settingsOf(deployment, snapshot.gates), account: accountOf(snapshot, snapshot.replicaSets) }
        expect(nextNewSize(sync, newSet, total)).toBe(kubernetesNewSize(next.size, total, replicas, surge))
        const mayBeMissing = Math.min(replicas, surge === 0 && unavailable === 0 ? 1 : unavailable)
        const model = old.map((set, born) => ({ ...set, max: 0, born }))
        const shrunk = new Map(planScaleDownOld(snapshot, newSet, oldSets).map(({ set, size }) => [set, size]))
        expect(oldSets.map((set) => shrunk.get(set) ?? sizeOf(set))).toEqual(
          kubernetesOldSizes(model, { ...next, max: 0, born: 9 }, replicas, replicas === 0 ? 0 : mayBeMissing),
        )
      }),
      { numRuns: 200 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSizes, type Share } from './proportions.ts'

/** A Deployment that scales; the sets are written one by one, and the writer may stop after each write. */
class Scale {
  readonly sets: Share[]
  readonly replicas: number
  readonly max: number
  readonly hasPolicy: boolean
  /** The status is written when a step is whole. */
  isFirstStep = true

  constructor(sets: readonly Share[], replicas: number, max: number, hasPolicy: boolean) {
    this.sets = [...sets]
    this.replicas = replicas
    this.max = max
    this.hasPolicy = hasPolicy
  }

  get total(): number {
    return this.sets.reduce((total, { size }) => total + size, 0)
  }

  get isScaling(): boolean {
    return this.sets.some(({ progress }) => progress !== 'done')
  }

  /** One sync; false when it was stopped after `writes` writes. */
  step(terminating: number, writes = Number.POSITIVE_INFINITY): boolean {
    const { sets, replicas, max, isFirstStep } = this
    const room = this.hasPolicy ? Math.max(0, max - this.total - terminating) : undefined
    let left = writes
    for (const { index, size, isDone } of nextSizes({ sets: sets.filter(({ size }) => size > 0), replicas, max, room, isFirstStep })) {
      if (left-- <= 0) return false
      const at = sets.indexOf(sets.filter((set) => set.size > 0)[index]!)
      this.writes.push([at, size, isDone])
    }
    return true
  }

  readonly writes: [number, number, boolean][] = []

  apply(): void {
    for (const [at, size, isDone] of this.writes.splice(0)) {
      const set = this.sets[at]!
      this.sets[at] = isDone ? { progress: 'done', size, base: size, maxBefore: this.max } : { ...set, size, progress: 'pending' }
    }
  }

  /** Syncs until the scale is done, with these terminating pods, of which some terminate after every sync without writes. */
  run(terminating: number, stops: readonly number[] = []): number[] {
    let left = terminating
    const stopAt = [...stops]
    for (let syncs = 0; syncs < 200 && (this.isScaling || left > 0); syncs++) {
      const before = this.sets
      const sizes = before.map(({ size }) => size)
      const isWhole = this.step(left, stopAt.shift())
      this.apply()
      if (this.hasPolicy && this.sets.some(({ size }, at) => size > sizes[at]!)) expect(this.total + left).toBeLessThanOrEqual(this.max)
      if (!isWhole) continue
      this.isFirstStep = false
      left = Math.max(0, left - 3)
    }
    expect(this.isScaling).toBe(false)
    return this.sets.map(({ size }) => size)
  }
}

const state = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 5 }),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 260 }),
    fc.integer({ min: 0, max: 30 }),
    fc.integer({ min: 0, max: 40 }),
    fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 6 }),
  )
  .map(([sizes, slack, replicas, surge, terminating, stops]) => {
    const maxBefore = sizes.reduce((total, size) => total + size, slack)
    const sets = sizes.map((size): Share => ({ progress: 'due', size, base: size, maxBefore }))
    return { sets, replicas, max: replicas + surge, terminating, stops }
  })

describe('nextSizes()', () => {
  for (const hasPolicy of [false, true])
    it(`ends at the sizes of an uninterrupted scale, wherever it stops, ${hasPolicy ? 'under TerminationComplete' : 'without a policy'}`, () => {
      fc.assert(
        fc.property(state, ({ sets, replicas, max, terminating, stops }) => {
          const straight = new Scale(sets, replicas, max, hasPolicy).run(0)
          expect(new Scale(sets, replicas, max, hasPolicy).run(terminating, stops)).toEqual(straight)
        }),
        { numRuns: 200 },
      )
    })

  it('starts a second scale at any point of the first, and finishes it', () => {
    fc.assert(
      fc.property(
        state,
        fc.integer({ min: 1, max: 260 }),
        fc.integer({ min: 0, max: 3 }),
        ({ sets, replicas, max, terminating, stops }, second, syncs) => {
          const scale = new Scale(sets, replicas, max, true)
          for (let sync = 0; sync < syncs; sync++) {
            scale.step(terminating, stops[sync])
            scale.apply()
          }
          const again = new Scale(
            scale.sets.map((set) => (set.progress === 'done' && set.size > 0 ? { ...set, progress: 'due' } : set)),
            second,
            second + (max - replicas),
            true,
          )
          fc.pre(again.sets.filter(({ size }) => size > 0).length > 1)
          const before = again.sets.map(({ size }) => size)
          const grows = second + (max - replicas) >= again.total
          const sizes = again.run(terminating, stops)
          expect(again.total).toBe(second + (max - replicas))
          if (grows)
            sizes.forEach((size, at) => {
              expect(size).toBeGreaterThanOrEqual(before[at]!)
            })
        },
      ),
      { numRuns: 200 },
    )
  })

  it('gives the room to the largest ReplicaSet in the first step, even if it is pending and its share does not fit', () => {
    const sets = [8, 1].map((size): Share => ({ progress: 'pending', size, base: size, maxBefore: 9 }))
    const sizes = nextSizes({ sets, replicas: 18, max: 18, room: 1, isFirstStep: true })
    expect(sizes.map(({ size }) => size)).toEqual([9, 1])
  })

  it('ends two scales, the first of which has to wait, at the sizes of a single one', () => {
    fc.assert(
      fc.property(state, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), ({ sets, terminating }, more, evenMore) => {
        const total = sets.reduce((sum, { size }) => sum + size, 0)
        const [first, second] = [total + more, total + more + evenMore]
        const single = new Scale(sets, second, second, true)
        const scale = new Scale(sets, first, first, true)
        // There is no room. A set whose share is 0 would be done, and rounded.
        scale.step(more)
        scale.apply()
        fc.pre(scale.sets.every(({ progress }) => progress === 'pending'))
        const again = new Scale(scale.sets, second, second, true)
        const largest = Math.max(...sets.map(({ size }) => size))
        const at = sets.findIndex(({ size }) => size === largest)
        for (const one of [single, again]) {
          one.step(terminating)
          one.apply()
        }
        // In the first step the largest also gets what pending ones leave.
        expect(again.sets[at]!.size).toBeGreaterThanOrEqual(single.sets[at]!.size)
        expect(again.run(terminating)).toEqual(single.run(terminating))
      }),
      { numRuns: 500 },
    )
  })

  it('never scales a set down in a scale-up under TerminationComplete', () => {
    fc.assert(
      fc.property(state, fc.integer({ min: -50, max: 50 }), ({ sets, max }, room) => {
        const total = sets.reduce((sum, { size }) => sum + size, 0)
        fc.pre(max >= total)
        for (const { index, size } of nextSizes({ sets, replicas: max, max, room: Math.max(0, room), isFirstStep: true }))
          expect(size).toBeGreaterThanOrEqual(sets[index]!.size)
      }),
    )
  })

  it('takes the rest from the next ReplicaSet if the largest is too small', () => {
    const sets = [10, 9].map((size): Share => ({ progress: 'due', size, base: size, maxBefore: undefined }))
    const sizes = nextSizes({ sets, replicas: 1, max: 1, room: undefined, isFirstStep: true })
    expect(sizes.map(({ size }) => size)).toEqual([0, 1])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultFeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Job, Stored } from '../../../api/types.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'
import { makeJob } from '../testing/sample-objects.ts'
import { SimulatedWorld } from '../testing/simulated-world.ts'
import { isFinished } from './conditions.ts'
import { countOf, parseIndexes } from './indexes.ts'
import { completionIndexOf, isTracked } from './pods.ts'

type Spec = NonNullable<Job['spec']>

const specs: fc.Arbitrary<Partial<Spec>> = fc
  .record({
    isIndexed: fc.boolean(),
    completions: fc.integer({ min: 1, max: 4 }),
    isOpen: fc.boolean(),
    parallelism: fc.integer({ min: 1, max: 3 }),
    backoffLimit: fc.integer({ min: 0, max: 4 }),
    perIndex: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    policy: fc.constantFrom('Failed', 'TerminatingOrFailed', 'draft'),
  })
  .map(({ isIndexed, completions, isOpen, parallelism, backoffLimit, perIndex, policy }) => ({
    parallelism,
    completionMode: isIndexed ? 'Indexed' : 'NonIndexed',
    ...((isIndexed || !isOpen) && { completions }),
    backoffLimit: isIndexed && perIndex !== undefined ? 2147483647 : backoffLimit,
    ...(isIndexed && perIndex !== undefined && { backoffLimitPerIndex: perIndex }),
    podReplacementPolicy: policy === 'draft' ? 'TerminatingOrFailed' : policy,
    ...(policy === 'draft' && { terminatingAsActive: true }),
  }))

type Step = { readonly what: (typeof actions)[number]; readonly pick: number }
const actions = ['sync', 'stop', 'observe', 'start', 'succeed', 'fail', 'delete', 'end', 'wait', 'suspend', 'scale'] as const
const weights: Partial<Record<Step['what'], number>> = { sync: 5, stop: 5, observe: 5, delete: 2, end: 2 }
const steps = fc.array(
  fc.record({
    what: fc.oneof(...actions.map((what) => ({ weight: weights[what] ?? 1, arbitrary: fc.constant(what) }))),
    pick: fc.nat({ max: 11 }),
  }),
  { minLength: 5, maxLength: 50, size: 'max' },
)

function take(world: SimulatedWorld, { what, pick }: Step): void {
  const unfinished = [...world.pods.values()].filter((pod) => !isTerminal(pod))
  const pod = unfinished[pick % Math.max(1, unfinished.length)]
  const { uid } = pod?.metadata ?? { uid: '' }
  switch (what) {
    case 'sync':
      world.sync()
      break
    case 'stop':
      world.sync(pick)
      break
    case 'observe':
      if (pick % 2 === 0) world.observe()
      else world.observe(pick)
      break
    case 'start':
      world.setPhase(uid, 'Running')
      break
    case 'succeed':
      world.setPhase(uid, 'Succeeded')
      break
    case 'fail':
      world.setPhase(uid, 'Failed')
      break
    case 'delete':
      world.delete(uid)
      break
    case 'end': {
      // A node has stopped a pod that was being deleted; it may have done its work.
      const terminating = unfinished.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      const last = terminating[pick % Math.max(1, terminating.length)]
      if (last !== undefined) world.setPhase(last.metadata.uid, pick % 2 === 0 ? 'Failed' : 'Succeeded')
      break
    }
    case 'wait':
      world.nowMs += pick * 10_000
      break
    case 'suspend':
      if (!isFinished(world.job)) world.editJob({ spec: { ...world.job.spec!, suspend: pick % 2 === 0 } })
      break
    case 'scale':
      if (!isFinished(world.job)) world.editJob({ spec: { ...world.job.spec!, parallelism: 1 + (pick % 3) } })
      break
  }
}

/** From now on there are no failures: pods run and mostly succeed, and nothing is deleted. */
function runToTheEnd(world: SimulatedWorld): number {
  world.editJob({ spec: { ...world.job.spec!, suspend: false } })
  for (let round = 0; round < 400; round++) {
    world.observe()
    for (let i = 0; i < 20 && world.sync(); i++) world.observe()
    if (isFinished(world.job)) return round
    for (const pod of [...world.pods.values()]) {
      if (isTerminal(pod)) continue
      world.setPhase(pod.metadata.uid, pod.metadata.deletionTimestamp !== undefined ? 'Failed' : 'Succeeded')
    }
    world.nowMs = Math.max(world.nowMs + 1000, world.requeueAtMs ?? 0)
  }
  throw new Error(`The Job does not end: ${JSON.stringify(world.job.status)}`)
}

const replacesOnlyFailed = ({ spec }: Stored<Job>) => spec?.podReplacementPolicy === 'Failed' || spec?.terminatingAsActive === true

/** A cheap `expect` for checks after every change. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

function watchOver(world: SimulatedWorld, isScaled: boolean): void {
  let before = world.job
  const { parallelism = 1 } = world.job.spec!
  world.check = () => {
    const { spec, status = {} } = world.job
    const { succeeded = 0, failed = 0, active = 0, terminating = 0, uncountedTerminatedPods } = status
    must(succeeded >= (before.status?.succeeded ?? 0) && failed >= (before.status?.failed ?? 0), 'a counter has shrunk')
    must(spec?.completions === undefined || succeeded <= spec.completions, 'there are more completions than were asked for')
    if (isFinished(before)) must(world.job === before, 'a Job that has ended was changed')
    if (isFinished(world.job)) {
      must(active === 0 && terminating === 0, 'a Job has ended that still has pods')
      must(Object.keys(uncountedTerminatedPods ?? {}).length === 0, 'a Job has ended that has not counted all its pods')
    }
    before = world.job
    if (!replacesOnlyFailed(world.job)) return
    const present = [...world.pods.values()].filter((pod) => !isTerminal(pod))
    must(isScaled || present.length <= parallelism, 'more pods are there than may run in parallel')
    if (spec?.completionMode !== 'Indexed') return
    must(new Set(present.map(completionIndexOf)).size === present.length, 'two pods of one index are there')
  }
}

describe('a Job with random failures, deletions and restarts of its controller', () => {
  it('counts every pod once, never runs an index twice at once under Failed, creates no surplus, and finishes', () => {
    fc.assert(
      fc.property(specs, fc.boolean(), fc.boolean(), steps, (spec, extended, isScaled, taken) => {
        const world = new SimulatedWorld(makeJob(spec), { ...defaultFeatureGates, ExtendedWorkloadConditions: extended })
        watchOver(world, isScaled)
        for (const step of taken) if (isScaled || step.what !== 'scale') take(world, step)
        runToTheEnd(world)
        const { status = {} } = world.job
        const { succeeded = 0, failed = 0 } = status

        // Every pod is exactly one of: counted by its uid, counted by its index, or released without counting.
        const byResult = (result: string) => [...world.counted.values()].filter((one) => one === result).length
        expect(byResult('failed')).toBe(failed)
        const isIndexed = spec.completionMode === 'Indexed'
        if (isIndexed) expect(succeeded).toBe(countOf(parseIndexes(status.completedIndexes, spec.completions ?? 0)))
        else expect(byResult('succeeded')).toBe(succeeded)
        for (const [uid, pod] of world.everCreated) {
          const isCounted = world.counted.has(uid) || (isIndexed && pod.status?.phase === 'Succeeded')
          must(isCounted || world.released.has(uid), `${uid} was lost`)
          must(!world.counted.has(uid) || !world.released.has(uid), `${uid} was let go and counted`)
          must(!isTracked(pod), `${uid} still waits to be counted`)
        }
        // Under Failed the phase alone decides, unless the Job fails: then every pod that it stops has failed.
        const isFailed = status.conditions?.some(({ type }) => type === 'Failed') === true
        if (replacesOnlyFailed(world.job) && !isFailed)
          for (const [uid, result] of world.counted)
            must(world.everCreated.get(uid)?.status?.phase === (result === 'failed' ? 'Failed' : 'Succeeded'), `${uid} has not ${result}`)
        if (status.conditions?.some(({ type }) => type === 'Complete') && spec.completions !== undefined)
          expect(succeeded).toBe(spec.completions)
      }),
      { numRuns: 200 },
    )
  })

  it('writes nothing when nothing has changed', () => {
    fc.assert(
      fc.property(specs, steps, (spec, taken) => {
        const world = new SimulatedWorld(makeJob(spec), defaultFeatureGates)
        for (const step of taken) take(world, step)
        for (let i = 0; i < 20; i++) {
          world.observe()
          world.sync()
        }
        world.observe()
        const writes = world.statusWrites
        world.sync()
        expect(world.statusWrites).toBe(writes)
      }),
      { numRuns: 50 },
    )
  })
})

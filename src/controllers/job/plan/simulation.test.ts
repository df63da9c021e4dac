import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultFeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Job, Stored } from '../../../api/types.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'
import { makeJob } from '../testing/sample-objects.ts'
import { SimulatedCluster } from '../testing/simulated-cluster.ts'
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

function take(cluster: SimulatedCluster, { what, pick }: Step): void {
  const unfinished = [...cluster.pods.values()].filter((pod) => !isTerminal(pod))
  const pod = unfinished[pick % Math.max(1, unfinished.length)]
  const { uid } = pod?.metadata ?? { uid: '' }
  switch (what) {
    case 'sync':
      cluster.sync()
      break
    case 'stop':
      cluster.sync(pick)
      break
    case 'observe':
      if (pick % 2 === 0) cluster.observe()
      else cluster.observe(pick)
      break
    case 'start':
      cluster.setPhase(uid, 'Running')
      break
    case 'succeed':
      cluster.setPhase(uid, 'Succeeded')
      break
    case 'fail':
      cluster.setPhase(uid, 'Failed')
      break
    case 'delete':
      cluster.delete(uid)
      break
    case 'end': {
      // A node has stopped a pod that was being deleted; it may have done its work.
      const terminating = unfinished.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      const last = terminating[pick % Math.max(1, terminating.length)]
      if (last !== undefined) cluster.setPhase(last.metadata.uid, pick % 2 === 0 ? 'Failed' : 'Succeeded')
      break
    }
    case 'wait':
      cluster.nowMs += pick * 10_000
      break
    case 'suspend':
      if (!isFinished(cluster.job)) cluster.editJob({ spec: { ...cluster.job.spec!, suspend: pick % 2 === 0 } })
      break
    case 'scale':
      if (!isFinished(cluster.job)) cluster.editJob({ spec: { ...cluster.job.spec!, parallelism: 1 + (pick % 3) } })
      break
  }
}

/** From now on there are no failures: pods run and mostly succeed, and nothing is deleted. */
function runToTheEnd(cluster: SimulatedCluster): number {
  cluster.editJob({ spec: { ...cluster.job.spec!, suspend: false } })
  for (let round = 0; round < 400; round++) {
    cluster.observe()
    for (let i = 0; i < 20 && cluster.sync(); i++) cluster.observe()
    if (isFinished(cluster.job)) return round
    for (const pod of [...cluster.pods.values()]) {
      if (isTerminal(pod)) continue
      cluster.setPhase(pod.metadata.uid, pod.metadata.deletionTimestamp !== undefined ? 'Failed' : 'Succeeded')
    }
    cluster.nowMs = Math.max(cluster.nowMs + 1000, cluster.requeueAtMs ?? 0)
  }
  throw new Error(`The Job does not end: ${JSON.stringify(cluster.job.status)}`)
}

const replacesOnlyFailed = ({ spec }: Stored<Job>) => spec?.podReplacementPolicy === 'Failed' || spec?.terminatingAsActive === true

/** A cheap `expect` for checks after every change. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

function watchOver(cluster: SimulatedCluster, isScaled: boolean): void {
  let before = cluster.job
  const { parallelism = 1 } = cluster.job.spec!
  cluster.check = () => {
    const { spec, status = {} } = cluster.job
    const { succeeded = 0, failed = 0, active = 0, terminating = 0, uncountedTerminatedPods } = status
    must(succeeded >= (before.status?.succeeded ?? 0) && failed >= (before.status?.failed ?? 0), 'a counter has shrunk')
    must(spec?.completions === undefined || succeeded <= spec.completions, 'there are more completions than were asked for')
    if (isFinished(before)) must(cluster.job === before, 'a Job that has ended was changed')
    if (isFinished(cluster.job)) {
      must(active === 0 && terminating === 0, 'a Job has ended that still has pods')
      must(Object.keys(uncountedTerminatedPods ?? {}).length === 0, 'a Job has ended that has not counted all its pods')
    }
    before = cluster.job
    if (!replacesOnlyFailed(cluster.job)) return
    const present = [...cluster.pods.values()].filter((pod) => !isTerminal(pod))
    must(isScaled || present.length <= parallelism, 'more pods are there than may run in parallel')
    if (spec?.completionMode !== 'Indexed') return
    must(new Set(present.map(completionIndexOf)).size === present.length, 'two pods of one index are there')
  }
}

describe('a Job with random failures, deletions and restarts of its controller', () => {
  it('counts every pod once, never runs an index twice at once under Failed, creates no surplus, and finishes', () => {
    fc.assert(
      fc.property(specs, fc.boolean(), fc.boolean(), steps, (spec, extended, isScaled, taken) => {
        const cluster = new SimulatedCluster(makeJob(spec), { ...defaultFeatureGates, ExtendedWorkloadConditions: extended })
        watchOver(cluster, isScaled)
        for (const step of taken) if (isScaled || step.what !== 'scale') take(cluster, step)
        runToTheEnd(cluster)
        const { status = {} } = cluster.job
        const { succeeded = 0, failed = 0 } = status

        // Every pod is exactly one of: counted by its uid, counted by its index, or released without counting.
        const byResult = (result: string) => [...cluster.counted.values()].filter((one) => one === result).length
        expect(byResult('failed')).toBe(failed)
        const isIndexed = spec.completionMode === 'Indexed'
        if (isIndexed) expect(succeeded).toBe(countOf(parseIndexes(status.completedIndexes, spec.completions ?? 0)))
        else expect(byResult('succeeded')).toBe(succeeded)
        for (const [uid, pod] of cluster.everCreated) {
          const isCounted = cluster.counted.has(uid) || (isIndexed && pod.status?.phase === 'Succeeded')
          must(isCounted || cluster.released.has(uid), `${uid} was lost`)
          must(!cluster.counted.has(uid) || !cluster.released.has(uid), `${uid} was let go and counted`)
          must(!isTracked(pod), `${uid} still waits to be counted`)
        }
        // Under Failed the phase alone decides, unless the Job fails: then every pod that it stops has failed.
        const isFailed = status.conditions?.some(({ type }) => type === 'Failed') === true
        if (replacesOnlyFailed(cluster.job) && !isFailed)
          for (const [uid, result] of cluster.counted)
            must(cluster.everCreated.get(uid)?.status?.phase === (result === 'failed' ? 'Failed' : 'Succeeded'), `${uid} has not ${result}`)
        if (status.conditions?.some(({ type }) => type === 'Complete') && spec.completions !== undefined)
          expect(succeeded).toBe(spec.completions)
      }),
      { numRuns: 200 },
    )
  })

  it('writes nothing when nothing has changed', () => {
    fc.assert(
      fc.property(specs, steps, (spec, taken) => {
        const cluster = new SimulatedCluster(makeJob(spec), defaultFeatureGates)
        for (const step of taken) take(cluster, step)
        for (let i = 0; i < 20; i++) {
          cluster.observe()
          cluster.sync()
        }
        cluster.observe()
        const writes = cluster.statusWrites
        cluster.sync()
        expect(cluster.statusWrites).toBe(writes)
      }),
      { numRuns: 50 },
    )
  })
})

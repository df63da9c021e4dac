// For any ReplicaSets, the planner reaches a state without further writes: no decision depends on what it changes itself.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import { type SampleSet, sampleDeployment, sampleSet, sampleSnapshot, startMs } from '../testing/sample-objects.ts'
import { isSettledStatus, planDeployment } from './deployment.ts'
import { sizeOf } from './replica-sets.ts'

const count = fc.integer({ min: 0, max: 6 })
const annotation = fc.option(count.map(String), { nil: undefined })

const anySet = fc.record({
  size: count,
  image: fc.constantFrom('a:1', 'a:2', 'a:3'),
  age: fc.constantFrom(1, 1, 1, 2),
  revision: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
  desired: annotation,
  max: annotation,
  beforeScale: annotation,
  available: count,
  terminating: fc.option(count, { nil: undefined }),
  isAsActive: fc.boolean(),
})

const anyDeployment = fc.record({
  replicas: count,
  maxSurge: fc.integer({ min: 0, max: 3 }),
  maxUnavailable: fc.integer({ min: 0, max: 3 }),
  strategy: fc.constantFrom('RollingUpdate' as const, 'RollingUpdate' as const, 'Recreate' as const),
  policy: fc.constantFrom(undefined, 'TerminationStarted' as const, 'TerminationComplete' as const, 'TerminationComplete' as const),
  paused: fc.boolean(),
  terminatingAsActive: fc.boolean(),
  isObserved: fc.boolean(),
  revisionHistoryLimit: fc.constantFrom(0, 1, 10),
  image: fc.constantFrom('a:1', 'a:2'),
})

const prefix = 'deployment.kubernetes.io/'

function setOf(given: typeof anySet extends fc.Arbitrary<infer T> ? T : never, index: number): Stored<ReplicaSet> {
  const annotations = {
    [`${prefix}revision`]: given.revision,
    [`${prefix}desired-replicas`]: given.desired,
    [`${prefix}max-replicas`]: given.max,
    [`${prefix}replicaset-replicas-before-scale`]: given.beforeScale,
  }
  const sample: SampleSet = {
    name: `web-${index}`,
    size: given.size,
    image: given.image,
    age: given.age,
    spec: { terminatingAsActive: given.isAsActive },
    status: { availableReplicas: Math.min(given.size, given.available) },
  }
  const set = sampleSet(sample)
  const { terminatingReplicas: _, ...status } = set.status!
  return {
    ...set,
    metadata: {
      ...set.metadata,
      annotations: Object.fromEntries(
        Object.entries(annotations).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
      ),
    },
    status: given.terminating === undefined ? status : { ...status, terminatingReplicas: given.terminating },
  }
}

/** Applies plans until one writes nothing. ReplicaSets reach their size at once; the availability of their pods stays the same. */
function settle(
  first: Stored<Deployment>,
  sets: readonly Stored<ReplicaSet>[],
  nowMs: number,
): { readonly deployment: Stored<Deployment>; readonly sets: readonly Stored<ReplicaSet>[] } {
  let deployment = first
  let current = [...sets]
  for (let writes = 0; writes < 60; writes++) {
    const plan = planDeployment(sampleSnapshot(deployment, current), nowMs)
    if (plan.actions.length === 0 && plan.status === undefined) return { deployment, sets: current }
    const isSettled = plan.status !== undefined && plan.requeueAtMs !== nowMs && isSettledStatus(plan.status, deployment)
    if (plan.actions.length === 0 && isSettled) {
      // The controller does not reconcile again after such a plan.
      const { actions, status } = planDeployment(sampleSnapshot(plan.status, current), nowMs)
      expect({ actions, status }).toEqual({ actions: [], status: undefined })
    }
    for (const action of plan.actions) {
      if (action.action === 'update-set')
        current = current.map((set) => (set.metadata.uid === action.replicaSet.metadata.uid ? reported(action.replicaSet) : set))
      else if (action.action === 'create-set') current.push(created(action.replicaSet))
      else if (action.action === 'delete-set') current = current.filter((set) => set.metadata.uid !== action.replicaSet.metadata.uid)
    }
    if (plan.status !== undefined) deployment = plan.status
  }
  throw new Error(
    `never settles: ${JSON.stringify(current.map(({ metadata, spec }) => [metadata.name, spec?.replicas, metadata.annotations]))}`,
  )
}

const reported = (set: Stored<ReplicaSet>): Stored<ReplicaSet> => ({
  ...set,
  status: {
    ...set.status!,
    replicas: sizeOf(set),
    readyReplicas: Math.min(sizeOf(set), set.status?.availableReplicas ?? 0),
    availableReplicas: Math.min(sizeOf(set), set.status?.availableReplicas ?? 0),
  },
})

function created(set: ReplicaSet): Stored<ReplicaSet> {
  const sample = sampleSet({ name: set.metadata!.name!, size: sizeOf(set), age: 5 })
  return reported({ ...sample, metadata: { ...sample.metadata, annotations: set.metadata!.annotations! }, spec: set.spec! })
}

describe('planDeployment()', () => {
  it('asks for no further sync of a complete Deployment where the server stores no count of terminating pods', () => {
    const counts = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 }
    const deployment = sampleDeployment({ replicas: 2, policy: 'TerminationComplete', status: { observedGeneration: 1, ...counts } })
    const set = sampleSet({ name: 'web-1', size: 2, status: { availableReplicas: 2, readyReplicas: 2, terminatingReplicas: 0 } })
    const { status, requeueAtMs } = planDeployment(sampleSnapshot(deployment, [set]), startMs)
    expect(status?.status).toMatchObject({ ...counts, terminatingReplicas: 0 })
    expect(requeueAtMs).toBeUndefined()
  })

  it('settles with any ReplicaSets and annotations', () => {
    fc.assert(
      fc.property(
        anyDeployment,
        fc.array(anySet, { maxLength: 4 }),
        ({ policy, paused, terminatingAsActive, isObserved, revisionHistoryLimit, ...more }, given) => {
          const deployment = sampleDeployment({
            ...more,
            ...(policy && { policy }),
            generation: 2,
            status: { observedGeneration: isObserved ? 2 : 1 },
            spec: { paused, revisionHistoryLimit, terminatingAsActive: terminatingAsActive && policy !== 'TerminationStarted' },
          })
          const first = settle(deployment, given.map(setOf), startMs)
          // Past the progress deadline.
          const { sets } = settle(first.deployment, first.sets, startMs + 3_600_000)
          // A paused Deployment creates no set, and deletes those beyond the limit.
          const isEmptied = given.length === 0 || (paused && revisionHistoryLimit === 0)
          expect(sets.length).toBeGreaterThanOrEqual(isEmptied ? 0 : 1)
        },
      ),
      { numRuns: 500 },
    )
  })
})

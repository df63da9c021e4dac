import { describe, expect, it } from 'vitest'
import type { Deployment, ReplicaSet, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { planDeployment } from './deployment.ts'
import { gatesWith, type SampleDeployment, sampleDeployment, sampleSet, sampleSnapshot, scaledFor, startMs } from './sample-objects.ts'

const plan = (deployment: Stored<Deployment>, sets: readonly Stored<ReplicaSet>[], more: { countTerminatingPods?: boolean } = {}) =>
  planDeployment({ ...sampleSnapshot(deployment, sets), ...more }, startMs)

const deploymentOf = (more: SampleDeployment = {}) =>
  sampleDeployment({ replicas: 4, maxSurge: 1, maxUnavailable: 1, image: 'a:2', status: { observedGeneration: 1 }, ...more })
const annotations = scaledFor(4, 5)
const oldSet = (size: number, more: Partial<Parameters<typeof sampleSet>[0]> = {}) =>
  sampleSet({ name: 'old', size, age: 1, image: 'a:1', annotations, ...more })
const newSet = (size: number, more: Partial<Parameters<typeof sampleSet>[0]> = {}) =>
  sampleSet({ name: 'new', size, age: 2, image: 'a:2', annotations, ...more })

// The full proof is in simulation.test.ts, whose world has no such cases.
describe('isLastStep()', () => {
  it.each([
    ['a status with nothing else to do', deploymentOf(), [oldSet(0), newSet(4)]],
    ['the end of the last old pod', deploymentOf(), [oldSet(1), newSet(4, { status: { availableReplicas: 3 } })]],
  ])('says so of %s', (_, deployment, sets) => {
    const { status, isLast } = plan(deployment, sets)
    expect(status).toBeDefined()
    expect(isLast).toBe(true)
  })

  it.each([
    ['a set that is to be made', deploymentOf(), [oldSet(4)]],
    ['a new set that grows before the old one shrinks', deploymentOf(), [oldSet(4), newSet(0)]],
    ['a set that takes over a setting', deploymentOf({ spec: { terminatingAsActive: true } }), [oldSet(0), newSet(4)]],
    ['a set that gets pods, and then takes over a setting', deploymentOf({ spec: { terminatingAsActive: true } }), [newSet(0)]],
    ['a set that gets a revision', deploymentOf(), [oldSet(0, { annotations: { 'deployment.kubernetes.io/revision': '7' } }), newSet(4)]],
    ['old sets beyond the limit', deploymentOf({ spec: { revisionHistoryLimit: 0 } }), [oldSet(0), newSet(4)]],
    ['Recreate, which looks at pods', deploymentOf({ strategy: 'Recreate' }), [oldSet(0), newSet(4)]],
    ['a pause', deploymentOf({ spec: { paused: true } }), [oldSet(0), newSet(4)]],
    ['a scale', deploymentOf({ replicas: 5 }), [oldSet(0), newSet(4)]],
  ])('does not say so of %s', (_, deployment, sets) => {
    const { actions, status, isLast } = plan(deployment, sets)
    expect(actions.length + (status === undefined ? 0 : 1)).toBeGreaterThan(0)
    expect(isLast).toBeUndefined()
  })

  it('does not say so where the pods themselves are counted', () => {
    expect(plan(deploymentOf(), [oldSet(0), newSet(4)], { countTerminatingPods: true }).isLast).toBeUndefined()
  })
})

describe('planOutcome() where the sets are counted afterwards', () => {
  const planAfterwards = (deployment: Stored<Deployment>, sets: readonly Stored<ReplicaSet>[]) =>
    planDeployment(
      { ...sampleSnapshot(deployment, sets, { gates: gatesWith({ ExtendedWorkloadConditions: false }) }), countsAfterwards: true },
      startMs,
    )
  const sets = [oldSet(1), newSet(4, { status: { availableReplicas: 3 } })]
  const conditions = [
    { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
    { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', lastUpdateTime: formatTime(startMs) },
  ]
  const rolling = { observedGeneration: 1, replicas: 5, updatedReplicas: 3, conditions }
  const resizes = (actions: readonly { readonly action: string }[]) => actions.map(({ action }) => action)

  it('leaves the counts to the look that the reports of resized sets bring', () => {
    const { actions, status } = planAfterwards(deploymentOf({ status: rolling }), [
      oldSet(1),
      newSet(4, { status: { availableReplicas: 3 } }),
    ])
    expect(resizes(actions)).toEqual(['update-set'])
    expect(status).toBeUndefined()
  })

  it.each([
    ['nothing is resized', rolling, [oldSet(0), newSet(4, { status: { availableReplicas: 3 } })], []],
    ['the beginning of the rollout is not told yet', { ...rolling, observedGeneration: 0 }, sets, ['update-set']],
    ['a condition changes', { ...rolling, conditions: conditions.slice(0, 1) }, sets, ['update-set']],
    [
      'a condition changes its reason',
      { ...rolling, conditions: [conditions[0]!, { ...conditions[1]!, reason: 'NewReplicaSetCreated' }] },
      sets,
      ['update-set'],
    ],
  ])('tells it at once where %s', (_, status, replicaSets, expected) => {
    const plan = planAfterwards(deploymentOf({ status }), replicaSets)
    expect(resizes(plan.actions)).toEqual(expected)
    expect(plan.status).toBeDefined()
  })
})

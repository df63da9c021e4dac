import { describe, expect, it } from 'vitest'
import type { Pod, ReplicaSet, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { created, sync } from '../testing/planned.ts'
import { gatesWith, type SampleDeployment, type SampleSet, scaledFor, startMs } from '../testing/sample-objects.ts'
import { annotationOf, replicasBeforeScaleAnnotation, revisionAnnotation, revisionHistoryAnnotation } from './annotations.ts'
import type { DeploymentPlan } from './snapshot.ts'

describe('planDeployment(): settings that are copied to ReplicaSets', () => {
  it('carries terminatingAsActive and the threshold to every set that has pods, old ones too', () => {
    const plan = sync({ replicas: 4, image: 'a:2', spec: { terminatingAsActive: true, operationalThreshold: 1 } }, [
      { size: 0, age: 1, image: 'older' },
      { size: 3, age: 2, annotations: scaledFor(4, 5) },
      { size: 2, age: 3, image: 'a:2', annotations: scaledFor(4, 5), status: { availableReplicas: 0 } },
    ])
    const specs = Object.fromEntries(
      plan.actions.flatMap((one) => (one.action === 'update-set' ? [[one.replicaSet.metadata.name, one.replicaSet.spec]] : [])),
    )
    expect(specs['web-1']).toBeUndefined()
    for (const name of ['web-2', 'web-3']) expect(specs[name]).toMatchObject({ terminatingAsActive: true, operationalThreshold: 1 })
  })

  it('leaves them alone while the gates are off', () => {
    const gates = gatesWith({ TerminatingAsActive: false, ExtendedWorkloadConditions: false })
    const set: SampleSet = { size: 1, annotations: scaledFor(1, 2), spec: { terminatingAsActive: true } }
    expect(sync({}, [set], { gates }).actions).toEqual([])
    expect(sync({}, [set]).actions).toHaveLength(1)
  })

  it('copies annotations and removes them again', () => {
    const key = 'rollcall.dev/terminating-as-active'
    const set: SampleSet = { size: 1, annotations: scaledFor(1, 2) }
    const given = sync({ annotations: { [key]: 'true' } }, [set]).actions[0]
    expect(given?.action === 'update-set' && annotationOf(given.replicaSet, key)).toBe('true')
    const taken = sync({}, [{ ...set, annotations: { ...set.annotations, [key]: 'true' } }]).actions[0]
    expect(taken?.action === 'update-set' && annotationOf(taken.replicaSet, key)).toBeUndefined()
  })

  it('keeps the setting annotations equal on every set, also on empty ones and whatever their value', () => {
    const annotations = {
      'rollcall.dev/pod-replacement-policy': 'TerminationComplete',
      'rollcall.dev/terminating-as-active': 'maybe',
      'rollcall.dev/operational-threshold': '90%',
      'rollcall.dev/progress-deadline-seconds': '60',
    }
    const { actions } = sync({ annotations, image: 'a:2' }, [
      { size: 0, age: 1, image: 'older', annotations: { 'rollcall.dev/operational-threshold': '10%', cause: 'x' } },
      { size: 0, age: 2, image: 'old' },
      { size: 1, age: 3, image: 'a:2', annotations: scaledFor(1, 2) },
    ])
    const carried = Object.fromEntries(
      actions.flatMap((one) => (one.action === 'update-set' ? [[one.replicaSet.metadata.name, one.replicaSet.metadata.annotations]] : [])),
    )
    expect(Object.keys(carried).sort()).toEqual(['web-1', 'web-2', 'web-3'])
    for (const name of Object.keys(carried)) expect(carried[name]).toMatchObject(annotations)
    expect(carried['web-1']).toMatchObject({ cause: 'x' })
  })

  it('does not copy the annotation of a pending scale from the Deployment, and removes it there', () => {
    const plan = sync({ annotations: { [replicasBeforeScaleAnnotation]: '7', note: 'x' } }, [{ size: 1, annotations: scaledFor(1, 2) }])
    const [action] = plan.actions
    expect(action?.action === 'update-set' && action.replicaSet.metadata.annotations).toEqual({
      [revisionAnnotation]: '1',
      ...scaledFor(1, 2),
      note: 'x',
    })
    expect(plan.status?.metadata.annotations).toEqual({ note: 'x', [revisionAnnotation]: '1' })
    expect(created(sync({ annotations: { [replicasBeforeScaleAnnotation]: '7' } }, [])).metadata?.annotations).not.toHaveProperty([
      replicasBeforeScaleAnnotation,
    ])
  })

  it('copies minReadySeconds', () => {
    const [action] = sync({ spec: { minReadySeconds: 5 } }, [{ size: 1, annotations: scaledFor(1, 2) }]).actions
    expect(action?.action === 'update-set' && action.replicaSet.spec?.minReadySeconds).toBe(5)
  })
})

describe('planDeployment(): revisions', () => {
  const deletedSets = (plan: DeploymentPlan) =>
    plan.actions.flatMap((one) => (one.action === 'delete-set' ? [one.replicaSet.metadata.name] : []))

  it('counts on from a revision that needs all of 64 bits', () => {
    const adopted: SampleSet = {
      size: 1,
      age: 1,
      image: 'other',
      annotations: { ...scaledFor(1, 2), [revisionAnnotation]: '3546343826724305832' },
    }
    const plan = sync({ replicas: 1 }, [adopted])
    expect(annotationOf(created(plan), revisionAnnotation)).toBe('3546343826724305833')
    expect(annotationOf(plan.status!, revisionAnnotation)).toBe('3546343826724305833')
  })

  it('gives a reused ReplicaSet the highest revision and keeps its former ones', () => {
    const plan = sync({ replicas: 1 }, [
      { size: 0, age: 1, annotations: { ...scaledFor(1, 2), [revisionHistoryAnnotation]: '1' }, image: 'a:1', status: { replicas: 0 } },
      { size: 1, age: 2, image: 'other', annotations: { ...scaledFor(1, 2), [revisionAnnotation]: '4' } },
    ])
    const set = plan.actions.flatMap((one) =>
      one.action === 'update-set' && one.replicaSet.metadata.name === 'web-1' ? [one.replicaSet] : [],
    )[0] as Stored<ReplicaSet>
    expect(annotationOf(set, revisionAnnotation)).toBe('5')
    expect(annotationOf(set, revisionHistoryAnnotation)).toBe('1,1')
    expect(annotationOf(plan.status!, revisionAnnotation)).toBe('5')
  })

  const complete = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1, terminatingReplicas: 0 }
  const history: SampleSet[] = [1, 2, 3].map((age) => ({ size: 0, age, image: `old:${age}` }))
  const current: SampleSet = { size: 1, age: 4, annotations: scaledFor(1, 2) }

  for (const [name, deployment, sets, deleted] of [
    [
      'keeps as many as the limit says, the newest revisions',
      { spec: { revisionHistoryLimit: 1 }, status: complete },
      history,
      ['web-1', 'web-2'],
    ],
    ['keeps none', { spec: { revisionHistoryLimit: 0 }, status: complete }, history, ['web-1', 'web-2', 'web-3']],
    ['keeps all', { spec: { revisionHistoryLimit: 2 ** 31 - 1 }, status: complete }, history, []],
    ['waits until the rollout is complete', { spec: { revisionHistoryLimit: 0 } }, history, []],
    [
      'leaves sets alone that still have pods',
      { spec: { revisionHistoryLimit: 2 }, status: complete },
      [{ ...history[0]!, status: { replicas: 1 } }, ...history.slice(1)],
      [],
    ],
    [
      'leaves sets alone that have not been observed',
      { spec: { revisionHistoryLimit: 2 }, status: complete },
      [{ ...history[0]!, generation: 2, status: { observedGeneration: 1 } }, ...history.slice(1)],
      [],
    ],
  ] as const)
    it(name, () => expect(deletedSets(sync(deployment, [...sets, current]))).toEqual(deleted))

  it('deletes a set whose pods are terminating, as Kubernetes does; under TerminationComplete once the cache has those pods', () => {
    const going = { ...history[0]!, status: { terminatingReplicas: 1 } }
    const paused: SampleDeployment = { spec: { revisionHistoryLimit: 0, paused: true } }
    const pod: Pod = { metadata: { name: 'p', deletionTimestamp: formatTime(startMs) }, status: { phase: 'Running' } }
    const ended: Pod = { ...pod, status: { phase: 'Succeeded' } }
    expect(deletedSets(sync(paused, [going, current]))).toEqual(['web-1'])
    const capped: SampleDeployment = { ...paused, policy: 'TerminationComplete' }
    expect(deletedSets(sync(capped, [going, current]))).toEqual([])
    expect(deletedSets(sync(capped, [going, current], { pods: { 'web-1': [ended] } }))).toEqual([])
    expect(deletedSets(sync(capped, [going, current], { pods: { 'web-1': [pod] } }))).toEqual(['web-1'])
  })

  it('keeps a ReplicaSet without a terminating count only under TerminationComplete', () => {
    const silent = { ...history[0]!, status: { terminatingReplicas: undefined } } as unknown as SampleSet
    const paused: SampleDeployment = { spec: { revisionHistoryLimit: 0, paused: true } }
    expect(deletedSets(sync({ ...paused, policy: 'TerminationComplete' }, [silent, current]))).toEqual([])
    expect(deletedSets(sync(paused, [silent, current]))).toEqual(['web-1'])
  })
})

describe('planDeployment(): a rollback by annotation', () => {
  const asked = (revision: string): SampleDeployment => ({
    annotations: { 'deprecated.deployment.rollback.to': revision, cause: 'new', [revisionAnnotation]: '2' },
  })
  const sets: SampleSet[] = [
    { size: 0, age: 1, image: 'old', annotations: { ...scaledFor(3, 4), cause: 'old', [replicasBeforeScaleAnnotation]: '3' } },
    { size: 1, age: 2, annotations: { ...scaledFor(1, 2), cause: 'new' } },
  ]
  const request = (revision: string, list = sets) => {
    const [action] = sync(asked(revision), list).actions
    return action?.action === 'update-deployment' ? action : undefined
  }

  for (const revision of ['0', '1'])
    it(`restores the template and the annotations of revision 1 when ${revision} is requested`, () => {
      const { deployment, event } = request(revision)!
      expect(deployment.spec?.template?.spec?.containers[0]?.image).toBe('old')
      expect(deployment.metadata.annotations).toEqual({ cause: 'old', [revisionAnnotation]: '2' })
      expect(event).toEqual({ type: 'Normal', reason: 'DeploymentRollback', message: 'Rolled back deployment "web" to revision 1' })
    })

  for (const [name, revision, list, message] of [
    ['an unknown revision', '9', sets, 'Unable to find the revision to rollback to.'],
    ['no earlier revision', '0', sets.slice(1), 'Unable to find last revision.'],
    ['the present revision', '2', sets, 'The rollback revision contains the same template as current deployment "web"'],
  ] as const)
    it(`gives up on ${name}`, () => {
      const { deployment, event } = request(revision, [...list])!
      expect(deployment.metadata.annotations).not.toHaveProperty(['deprecated.deployment.rollback.to'])
      expect(event?.message).toBe(message)
    })
})

import { describe, expect, it } from 'vitest'
import { daemonSets, deployments, replicaSets, statefulSets } from '../../api/kinds.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'
import { checkOperational, checkProgress } from './progress-rules.ts'

const said = (kind: { readonly plural: string }, observedGeneration: number, reason: string, status = 'True'): Change => {
  const object = {
    metadata: { name: 'a', namespace: 'default', uid: 'a', resourceVersion: '1' },
    status: { observedGeneration, conditions: [{ type: 'Progressing', status, reason }] },
  }
  return { verb: 'update', kind, key: 'default/a', revision: 1, object: object as unknown as Stored<KubernetesObject> } as Change
}

describe('checkProgress()', () => {
  it.each<[string, Change[], RegExp | undefined]>([
    ['a rollout completes', [said(daemonSets, 1, 'RevisionUpdated'), said(daemonSets, 1, 'NewRevisionAvailable')], undefined],
    ['the user asks for another', [said(daemonSets, 1, 'NewRevisionAvailable'), said(daemonSets, 2, 'NewRevisionCreated')], undefined],
    [
      'a completed one passes its deadline',
      [said(daemonSets, 1, 'NewRevisionAvailable'), said(daemonSets, 1, 'ProgressDeadlineExceeded', 'False')],
      /completed rollout of DaemonSet default\/a turns False \(ProgressDeadlineExceeded\)/,
    ],
    [
      'a completed one is reopened',
      [said(statefulSets, 1, 'NewRevisionAvailable'), said(statefulSets, 1, 'RevisionUpdated')],
      /StatefulSet default\/a turns True \(RevisionUpdated\)/,
    ],
    [
      'a Deployment replaces a deleted set',
      [said(deployments, 1, 'NewReplicaSetAvailable'), said(deployments, 1, 'ReplicaSetUpdated')],
      undefined,
    ],
    [
      'a completed Deployment passes its deadline',
      [said(deployments, 1, 'NewReplicaSetAvailable'), said(deployments, 1, 'ProgressDeadlineExceeded', 'False')],
      /Deployment default\/a turns False/,
    ],
  ])('%s', (_, changes, expected) => {
    const check = checkProgress()
    const found = changes.flatMap((one) => check(one) ?? [])
    if (expected === undefined) expect(found).toEqual([])
    else expect(found.join()).toMatch(expected)
  })
})

describe('checkOperational()', () => {
  const set = (
    replicas: number,
    availableReplicas: number,
    threshold: number | string | undefined,
    status: string,
    annotations: Record<string, string> = {},
  ): Change => {
    const object = {
      metadata: { name: 'a', namespace: 'default', uid: 'a', resourceVersion: '1', generation: 1, annotations },
      spec: { replicas, ...(threshold !== undefined && { operationalThreshold: threshold }) },
      status: { observedGeneration: 1, availableReplicas, conditions: [{ type: 'Operational', status }] },
    }
    return {
      verb: 'update',
      kind: replicaSets,
      key: 'default/a',
      revision: 1,
      object: object as unknown as Stored<KubernetesObject>,
    } as Change
  }
  it.each<[string, number, number, number | string | undefined, 'True' | 'False']>([
    ['all of 3', 3, 3, undefined, 'True'],
    ['2 of 3', 3, 2, undefined, 'False'],
    ['9 of 10, 90% required', 10, 9, '90%', 'True'],
    ['8 of 10, 90% required', 10, 8, '90%', 'False'],
    ['1 of 3, 1 required', 3, 1, 1, 'True'],
    ['2 of 2, 5 required', 2, 2, 5, 'True'],
  ])('%s available', (_, replicas, available, threshold, right) => {
    const check = checkOperational()
    expect(check(set(replicas, available, threshold, right))).toBeUndefined()
    expect(check(set(replicas, available, threshold, right === 'True' ? 'False' : 'True'))).toMatch(
      /^Operational of ReplicaSet default\/a is/,
    )
  })

  const annotated = (text: string) => ({ 'rollcall.dev/operational-threshold': text })
  it.each<[string, number, Record<string, string>, number | undefined, 'True' | 'False']>([
    ['1 of 4, 25% by the annotation', 1, annotated('25%'), undefined, 'True'],
    ['1 of 4, 2 by the annotation', 1, annotated('2'), undefined, 'False'],
    ['1 of 4, 25% by the annotation and 4 by the field', 1, annotated('25%'), 4, 'False'],
    ['1 of 4, an invalid annotation', 1, annotated('some'), undefined, 'False'],
    ['1 of 4, more than 100% by the annotation', 1, annotated('101%'), undefined, 'False'],
  ])('%s', (_, available, annotations, threshold, right) => {
    const check = checkOperational()
    expect(check(set(4, 0, threshold, 'False', annotations))).toBeUndefined()
    expect(check(set(4, available, threshold, right, annotations))).toBeUndefined()
    expect(check(set(4, available, threshold, right === 'True' ? 'False' : 'True', annotations))).toMatch(/^Operational of/)
  })

  it('checks a status that was written after the annotation changed', () => {
    const check = checkOperational()
    expect(check(set(4, 1, undefined, 'False'))).toBeUndefined()
    expect(check(set(4, 1, undefined, 'False', annotated('25%')))).toBeUndefined()
    expect(check(set(4, 1, undefined, 'True', annotated('25%')))).toBeUndefined()
    expect(check(set(4, 1, undefined, 'True'))).toBeUndefined()
    expect(check(set(4, 2, undefined, 'True'))).toMatch(/^Operational of/)
  })
})

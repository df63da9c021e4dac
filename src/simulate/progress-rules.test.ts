import { describe, expect, it } from 'vitest'
import { daemonSets, deployments, statefulSets } from '../api/kinds.ts'
import type { KubernetesObject, Stored } from '../api/types.ts'
import type { Change } from '../cluster/virtual-cluster.ts'
import { checkProgress } from './progress-rules.ts'

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

import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../api/types.ts'
import { optInKey, settingOf, wantsGate, workloadNamesOf } from './opt-in.ts'

const podOf = (apiVersion: string, kind: string, name: string, labels = {}, spec = {}) =>
  ({ metadata: { labels, ownerReferences: [{ apiVersion, kind, name, uid: 'u', controller: true }] }, spec }) as unknown as Pod
const hash = { 'pod-template-hash': 'abc' }

describe('workloadNamesOf()', () => {
  it.each<[string, Pod, readonly string[]]>([
    ['a pod of a Deployment', podOf('apps/v1', 'ReplicaSet', 'web-abc', hash), ['ReplicaSet/web-abc', 'Deployment/web']],
    [
      'a Deployment with a hyphen and a dot',
      podOf('apps/v1', 'ReplicaSet', 'a-b.c-abc', hash),
      ['ReplicaSet/a-b.c-abc', 'Deployment/a-b.c'],
    ],
    ['a pod of a ReplicaSet', podOf('apps/v1', 'ReplicaSet', 'web'), ['ReplicaSet/web']],
    ['a ReplicaSet with another hash', podOf('apps/v1', 'ReplicaSet', 'web-xyz', hash), ['ReplicaSet/web-xyz']],
    ['an empty hash', podOf('apps/v1', 'ReplicaSet', 'web-', { 'pod-template-hash': '' }), ['ReplicaSet/web-']],
    ['a pod of a Job', podOf('batch/v1', 'Job', 'work', hash), ['Job/work']],
    ['a pod of a StatefulSet', podOf('apps/v1', 'StatefulSet', 'db'), []],
    ['a Job of another API group', podOf('batch.volcano.sh/v1alpha1', 'Job', 'work'), []],
    ['a pod without a controller', { metadata: { name: 'alone' } }, []],
  ])('%s', (_name, pod, names) => {
    expect(workloadNamesOf(pod)).toEqual(names)
  })
})

describe('wantsGate()', () => {
  const pod = podOf('apps/v1', 'ReplicaSet', 'web-abc', hash)
  it.each<[string, Pod, readonly string[], string | undefined, boolean]>([
    ['neither the workload nor the namespace opts in', pod, [], undefined, false],
    ['the workload asks', pod, ['TerminationComplete'], undefined, true],
    ['the namespace asks', pod, [], 'TerminationComplete', true],
    ['the workload is taken out of its namespace', pod, ['TerminationStarted'], 'TerminationComplete', false],
    ['the value is unknown', pod, ['Sometimes'], undefined, false],
    ['the pod has a node', podOf('apps/v1', 'ReplicaSet', 'web', {}, { nodeName: 'n' }), [], 'TerminationComplete', false],
    ['nothing would release the pod', podOf('apps/v1', 'DaemonSet', 'agent'), [], 'TerminationComplete', false],
  ])('%s', (_name, one, settings, ofNamespace, wanted) => {
    expect(wantsGate(one, settings, ofNamespace)).toBe(wanted)
  })
})

describe('settingOf()', () => {
  const annotated = { annotations: { [optInKey]: 'TerminationComplete' } }
  it.each<[string, string, object, string | undefined]>([
    ['a Deployment', 'Deployment', { metadata: annotated }, 'TerminationComplete'],
    ['no annotation', 'Deployment', { metadata: {} }, undefined],
    [
      'the copy on a ReplicaSet of a Deployment',
      'ReplicaSet',
      { metadata: { ...annotated, ownerReferences: [{ kind: 'Deployment', controller: true }] } },
      undefined,
    ],
    ['a Job', 'Job', { metadata: annotated }, 'TerminationComplete'],
    ['a Job that has finished', 'Job', { metadata: annotated, status: { conditions: [{ type: 'Complete', status: 'True' }] } }, undefined],
  ])('%s', (_name, kind, workload, value) => {
    expect(settingOf(kind, workload)).toBe(value)
  })
})

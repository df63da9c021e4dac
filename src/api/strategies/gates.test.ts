import { describe, expect, it } from 'vitest'
import { contextWith, created, decoded, type Loose, updated } from '../defaults/testing.ts'
import type { FeatureGateName } from '../feature-gates.ts'
import { daemonSets, deployments, jobs, replicaSets, replicationControllers, statefulSets } from '../kinds.ts'

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }], restartPolicy: 'Always' } }
const workload = (spec: Loose) => ({ metadata: { name: 'w' }, spec: { template, ...spec } })

const fields: [string, Loose, FeatureGateName, Loose][] = [
  ['Deployment', deployments, 'DeploymentPodReplacementPolicy', { podReplacementPolicy: 'TerminationComplete' }],
  ['Deployment', deployments, 'TerminatingAsActive', { terminatingAsActive: true }],
  ['Deployment', deployments, 'ExtendedWorkloadConditions', { operationalThreshold: '10%' }],
  ['ReplicaSet', replicaSets, 'TerminatingAsActive', { terminatingAsActive: true }],
  ['ReplicaSet', replicaSets, 'ExtendedWorkloadConditions', { operationalThreshold: 1 }],
  ['ReplicationController', replicationControllers, 'ExtendedWorkloadConditions', { operationalThreshold: 1 }],
  ['StatefulSet', statefulSets, 'ExtendedWorkloadConditions', { operationalThreshold: 1 }],
  ['StatefulSet', statefulSets, 'ExtendedWorkloadConditions', { progressDeadlineSeconds: 60 }],
  ['DaemonSet', daemonSets, 'ExtendedWorkloadConditions', { operationalThreshold: 1 }],
  ['DaemonSet', daemonSets, 'ExtendedWorkloadConditions', { progressDeadlineSeconds: 60 }],
  ['Job', jobs, 'JobPodReplacementPolicy', { podReplacementPolicy: 'Failed' }],
  ['Job', jobs, 'TerminatingAsActive', { terminatingAsActive: true }],
]

describe.each(fields)('%s, field of a gate', (_, kind, gate, spec) => {
  const name = Object.keys(spec)[0]!
  const off = contextWith({ [gate]: false })

  it(`keeps ${name} with ${gate} on`, () => {
    expect(created(kind, workload(spec)).spec).toMatchObject(spec)
  })

  it(`drops ${name} at creation with ${gate} off`, () => {
    expect(created(kind, workload(spec), off).spec).not.toHaveProperty(name)
  })

  it(`keeps ${name} on an update with ${gate} off where the stored object has it`, () => {
    const stored = created(kind, workload(spec))
    expect(updated(kind, workload(spec), stored, off).spec).toMatchObject(spec)
  })

  it(`drops ${name} on an update with ${gate} off where the stored object has none`, () => {
    const stored = created(kind, workload({}), off)
    expect(updated(kind, workload(spec), stored, off).spec).not.toHaveProperty(name)
  })
})

describe.each([
  ['Deployment', deployments],
  ['ReplicaSet', replicaSets],
])('%s, terminatingReplicas in the status', (_, kind: Loose) => {
  const write = (current: Loose, on: boolean) => {
    const next = decoded(kind, { ...workload({}), status: { terminatingReplicas: 2 } })
    kind.strategy.prepareForStatusUpdate(next, current, contextWith({ DeploymentReplicaSetTerminatingReplicas: on }))
    return next.status.terminatingReplicas
  }
  const stored = created(kind, workload({}))

  it.each([
    ['is written with the gate on', stored, true, 2],
    ['is dropped with the gate off', stored, false, undefined],
    ['is written with the gate off where it is there already', { ...stored, status: { terminatingReplicas: 0 } }, false, 2],
  ])('%s', (_, current, on, expected) => {
    expect(write(current, on)).toBe(expected)
  })
})

describe('StatefulSet, maxUnavailable', () => {
  it('is dropped, as its gate is off in Kubernetes', () => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } }
    expect(created(statefulSets, workload({ updateStrategy })).spec.updateStrategy.rollingUpdate).toEqual({ partition: 0 })
  })

  it('is kept with the gate on', () => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } }
    const context = contextWith({ MaxUnavailableStatefulSet: true })
    expect(created(statefulSets, workload({ updateStrategy }), context).spec.updateStrategy.rollingUpdate).toMatchObject({
      maxUnavailable: 2,
    })
  })
})

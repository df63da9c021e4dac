import { describe, expect, it } from 'vitest'
import {
  cronJobs,
  daemonSets,
  deployments,
  horizontalPodAutoscalers,
  jobs,
  replicaSets,
  replicationControllers,
  statefulSets,
} from '../kinds.ts'
import type { FeatureGateName } from '../machinery/feature-gates.ts'
import { contextWith, created, decoded, type Loose, updated } from '../testing/prepared-objects.ts'
import type { HorizontalPodAutoscaler } from '../types.ts'

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

describe('Job, two gates for one promise', () => {
  const off = contextWith({ TerminatingAsActive: false })
  const asActive = workload({ terminatingAsActive: true })

  it('leaves no podReplacementPolicy behind when the gate TerminatingAsActive is turned off', () => {
    const stored = created(jobs, asActive)
    expect(stored.spec).not.toHaveProperty('podReplacementPolicy')
    const { terminatingAsActive: _, ...without } = stored.spec
    expect(updated(jobs, { ...stored, spec: without }, stored, off).spec.podReplacementPolicy).toBe('TerminatingOrFailed')
  })

  it('loses nothing when TerminatingAsActive is turned off and on again', () => {
    const stored = created(jobs, asActive)
    const touched = updated(jobs, stored, stored, off)
    expect(touched.spec).toEqual(stored.spec)
    const again = updated(jobs, touched, touched)
    expect(again.spec).toEqual(stored.spec)
  })

  it('has the default of Kubernetes where terminatingAsActive is dropped', () => {
    expect(created(jobs, asActive, off).spec.podReplacementPolicy).toBe('TerminatingOrFailed')
    const plain = created(jobs, workload({}), off)
    const next = updated(jobs, asActive, plain, off)
    expect(next.spec).not.toHaveProperty('terminatingAsActive')
    expect(next.spec.podReplacementPolicy).toBe('TerminatingOrFailed')
  })
})

describe.each(['podReplacementPolicy', 'terminatingAsActive'])('CronJob, %s of its Jobs', (field) => {
  const gate = field === 'podReplacementPolicy' ? 'JobPodReplacementPolicy' : 'TerminatingAsActive'
  const off = contextWith({ [gate]: false })
  const value = field === 'podReplacementPolicy' ? 'Failed' : true
  const cronJob = (spec: Loose) => ({
    metadata: { name: 'c' },
    spec: { schedule: '@hourly', jobTemplate: { spec: { template, ...spec } } },
  })
  const jobSpec = (object: Loose) => object.spec.jobTemplate.spec

  it(`is dropped at creation with ${gate} off, and kept where the stored object has it`, () => {
    const stored = created(cronJobs, cronJob({ [field]: value }))
    expect(jobSpec(stored)).toHaveProperty(field, value)
    expect(jobSpec(updated(cronJobs, cronJob({ [field]: value }), stored, off))).toHaveProperty(field, value)
    const plain = created(cronJobs, cronJob({ [field]: value }), off)
    expect(jobSpec(plain)).not.toHaveProperty(field)
    expect(jobSpec(updated(cronJobs, cronJob({ [field]: value }), plain, off))).not.toHaveProperty(field)
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
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } }
  const write = (rollingUpdate: object, MaxUnavailableStatefulSet: boolean) =>
    created(statefulSets, workload({ updateStrategy: { ...updateStrategy, rollingUpdate } }), contextWith({ MaxUnavailableStatefulSet }))
      .spec.updateStrategy.rollingUpdate

  it.each([
    ['is kept', { maxUnavailable: 2 }, true, { partition: 0, maxUnavailable: 2 }],
    ['is 1 by default', {}, true, { partition: 0, maxUnavailable: 1 }],
    ['is dropped with its gate off', { maxUnavailable: 2 }, false, { partition: 0 }],
  ])('%s', (_, rollingUpdate, on, expected) => expect(write(rollingUpdate, on)).toEqual(expected))
})

describe('HorizontalPodAutoscaler, minReplicas 0', () => {
  const autoscaler = (minReplicas: number): HorizontalPodAutoscaler => ({
    metadata: { name: 'a', namespace: 'default' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      minReplicas,
      maxReplicas: 2,
      metrics: [{ type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } } }],
    },
  })
  const least = (HPAScaleToZero: boolean, current?: HorizontalPodAutoscaler) => {
    const { validate, validateUpdate } = horizontalPodAutoscalers.strategy
    const judged = contextWith({ HPAScaleToZero })
    const errors = current === undefined ? validate!(autoscaler(0), judged) : validateUpdate!(autoscaler(0), current, judged)
    return errors.map(({ field }) => field)
  }

  it.each([
    ['is accepted', true, undefined, []],
    ['is refused with the gate off', false, undefined, ['spec.minReplicas']],
    ['may be set only with the gate on', false, autoscaler(1), ['spec.minReplicas']],
    ['stays with the gate off', false, autoscaler(0), []],
  ])('%s', (_, on, current, fields) => expect(least(on, current)).toEqual(fields))
})

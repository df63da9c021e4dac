import { describe, expect, it } from 'vitest'
import {
  cronJobs,
  daemonSets,
  deployments,
  endpointSlices,
  flowSchemas,
  jobs,
  kinds,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  podTemplates,
  priorityClasses,
  replicaSets,
  replicationControllers,
  serviceAccounts,
  services,
  statefulSets,
  volumeAttachments,
} from '../kinds.ts'
import type { MetadataCheck } from '../machinery/kind.ts'
import { fillDefaults, hasSubresource } from '../machinery/kind.ts'
import { validateMetadataOnUpdate } from '../machinery/validation/metadata.ts'
import { contextWith, created, decoded, type Loose, updated } from '../testing/prepared-objects.ts'

const podSpec = { containers: [{ name: 'c', image: 'nginx:1' }] }
const template = { metadata: { labels: { app: 'x' } }, spec: podSpec }
const workload = { metadata: { name: 'w' }, spec: { template } }
const changedTemplate = { ...template, spec: { containers: [{ name: 'c', image: 'nginx:2' }] } }

describe('generationChanges()', () => {
  it.each<[string, Loose, Loose, Loose, boolean]>([
    ['a pod with another image', pods, { spec: podSpec }, { spec: changedTemplate.spec }, true],
    ['a pod with other labels', pods, { spec: podSpec }, { metadata: { labels: { a: 'b' } }, spec: podSpec }, false],
    ['a Deployment of another size', deployments, workload, { spec: { ...workload.spec, replicas: 3 } }, true],
    ['a Deployment with other annotations', deployments, workload, { ...workload, metadata: { annotations: { a: 'b' } } }, true],
    ['a Deployment with other labels', deployments, workload, { ...workload, metadata: { labels: { a: 'b' } } }, false],
    ['a Deployment with its default written out', deployments, workload, { spec: { ...workload.spec, replicas: 1 } }, false],
    ['a ReplicaSet with other annotations', replicaSets, workload, { ...workload, metadata: { annotations: { a: 'b' } } }, false],
    ['a ReplicaSet of another size', replicaSets, workload, { spec: { ...workload.spec, replicas: 3 } }, true],
    ['a ReplicationController of another size', replicationControllers, workload, { spec: { ...workload.spec, replicas: 3 } }, true],
    ['a StatefulSet of another size', statefulSets, workload, { spec: { ...workload.spec, replicas: 3 } }, true],
    ['a DaemonSet with another template', daemonSets, workload, { spec: { template: changedTemplate } }, true],
    ['a Job that is suspended', jobs, workload, { spec: { ...workload.spec, suspend: true } }, true],
    ['a CronJob at other times', cronJobs, { spec: { schedule: 'a' } }, { spec: { schedule: 'b' } }, true],
    ['a budget with another selector', podDisruptionBudgets, {}, { spec: { selector: { matchLabels: { a: 'b' } } } }, true],
    ['a template with another image', podTemplates, { template }, { template: changedTemplate }, true],
    ['a PriorityClass with another description', priorityClasses, { value: 1 }, { value: 1, description: 'x' }, false],
    [
      'an EndpointSlice with other labels',
      endpointSlices,
      { addressType: 'IPv4' },
      { metadata: { labels: { a: 'b' } }, addressType: 'IPv4' },
      true,
    ],
    [
      'an EndpointSlice with other annotations',
      endpointSlices,
      { addressType: 'IPv4' },
      { metadata: { annotations: { a: 'b' } }, addressType: 'IPv4' },
      false,
    ],
  ])('%s', (_, kind, before, after, expected) => {
    const named = (object: Loose) => ({ ...object, metadata: { name: 'x', ...object.metadata } })
    const current = decoded(kind, named(before))
    const next = decoded(kind, named(after))
    for (const object of [current, next]) fillDefaults(kind.strategy, object, contextWith())
    expect(kind.strategy.generation).toBe(true)
    expect(kind.strategy.generationChanges(next, current)).toBe(expected)
  })
})

describe('prepareForUpdate()', () => {
  it.each(kinds.filter((kind) => hasSubresource(kind, 'status')).map((kind) => [kind.kind, kind]))(
    '%s keeps its status',
    (_, kind: Loose) => {
      const current = created(kind, workload)
      const next = updated(kind, { ...workload, status: { conditions: [{ type: 'New', status: 'True' }] } }, current)
      expect(next.status).toEqual(current.status)
    },
  )

  it('keeps the finalizers of a namespace', () => {
    const current = created(namespaces, { metadata: { name: 'n' } })
    expect(updated(namespaces, { metadata: { name: 'n' }, spec: { finalizers: ['a/b'] } }, current).spec).toEqual({
      finalizers: ['kubernetes'],
    })
  })

  it('counts the templates of a DaemonSet, and ignores the count in the request', () => {
    const count = (object: Loose) => object.metadata.annotations['deprecated.daemonset.template.generation']
    const current = created(daemonSets, workload)
    expect(count(updated(daemonSets, workload, current))).toBe('1')
    const next = updated(
      daemonSets,
      { metadata: { name: 'w', annotations: { 'deprecated.daemonset.template.generation': '9' } }, spec: { template: changedTemplate } },
      current,
    )
    expect(count(next)).toBe('2')
  })

  it('removes fields that a Service no longer needs', () => {
    const ports = [{ port: 80, nodePort: 30000 }]
    const current = created(services, {
      metadata: { name: 's' },
      spec: { type: 'LoadBalancer', ports, clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] },
    })
    const next = updated(services, { metadata: { name: 's' }, spec: { ...current.spec, type: 'ClusterIP' } }, current)
    expect(next.spec).toEqual({
      ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1'],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
    })
  })

  it('fills in the data source of a claim from its reference, and back', () => {
    const source = { kind: 'PersistentVolumeClaim', name: 'a' }
    const claim = (spec: Loose) => created(persistentVolumeClaims, { metadata: { name: 'c' }, spec }).spec
    expect(claim({ dataSource: source })).toMatchObject({ dataSource: source, dataSourceRef: { apiGroup: null, ...source } })
    expect(claim({ dataSourceRef: source })).toMatchObject({ dataSource: source, dataSourceRef: source })
    expect(claim({ dataSource: { kind: 'Other', name: 'a' } })).not.toHaveProperty('dataSource')
  })

  it("keeps only the names of a service account's secrets", () => {
    const account = created(serviceAccounts, { metadata: { name: 'a' }, secrets: [{ name: 's', kind: 'Secret' }] })
    expect(account.secrets).toEqual([{ name: 's' }])
  })
})

describe('prepareForStatusUpdate()', () => {
  it.each(kinds.filter((kind) => hasSubresource(kind, 'status')).map((kind) => [kind.kind, kind]))(
    '%s keeps its spec',
    (_, kind: Loose) => {
      const current = created(kind, workload)
      const next = decoded(kind, { metadata: { name: 'w' }, spec: { replicas: 9, nodeName: 'n' } })
      fillDefaults(kind.strategy, next, contextWith())
      kind.strategy.prepareForStatusUpdate(next, current, contextWith())
      expect(next.spec).toEqual(current.spec)
    },
  )

  it.each([
    ['a Deployment keeps its labels', deployments, undefined],
    ['a ReplicaSet takes new ones', replicaSets, { a: 'b' }],
    ['a Node takes new ones', nodes, { a: 'b' }],
  ])('%s', (_, kind: Loose, expected) => {
    const next = decoded(kind, { metadata: { name: 'w', labels: { a: 'b' } } })
    kind.strategy.prepareForStatusUpdate(next, created(kind, workload), contextWith())
    expect(next.metadata.labels).toEqual(expected)
  })

  it.each([
    ['stamps a volume whose phase changes', { phase: 'Bound' }, '2026-11-01T12:00:00Z'],
    ['keeps the stamp of a volume whose phase does not', { phase: 'Pending' }, '2020-01-01T00:00:00Z'],
    ['takes the stamp of the writer', { phase: 'Bound', lastPhaseTransitionTime: '2021-01-01T00:00:00Z' }, '2021-01-01T00:00:00Z'],
  ])('%s', (_, status, expected) => {
    const current = created(persistentVolumes, { metadata: { name: 'v' } })
    current.status.lastPhaseTransitionTime = '2020-01-01T00:00:00Z'
    const next = decoded(persistentVolumes, { metadata: { name: 'v' }, status })
    persistentVolumes.strategy.prepareForStatusUpdate?.(next, current, contextWith())
    expect(next.status.lastPhaseTransitionTime).toBe(expected)
  })
})

describe('the generateName of an update', () => {
  const errors = (checks: readonly MetadataCheck[] | undefined) =>
    validateMetadataOnUpdate({ name: 'a', resourceVersion: '2', generateName: 'A_b' }, { name: 'a' }, { namespaced: false, checks })
  it.each([
    ['a Job: not validated', jobs.strategy.metadata?.onUpdate, 0],
    ['a PersistentVolume: validated twice', persistentVolumes.strategy.metadata?.onUpdate, 2],
    ['the status of a VolumeAttachment: validated', volumeAttachments.strategy.metadata?.onStatusUpdate, 1],
  ])('%s', (_name, checks, count) => {
    expect(errors(checks).filter(({ field }) => field === 'metadata.generateName')).toHaveLength(count)
  })

  it('is validated where it did not change: a write of the status may have stored it', () => {
    const metadata = { name: 'a', resourceVersion: '2', generateName: 'A_b' }
    expect(validateMetadataOnUpdate(metadata, metadata, { namespaced: false, checks: ['as new'] })).toHaveLength(1)
  })

  it('is kept by a write of the status of a FlowSchema', () => {
    const current = { metadata: { name: 'a' }, spec: {} } as never
    const next = { metadata: { name: 'a', generateName: 'A_b' } } as { metadata: object }
    flowSchemas.strategy.prepareForStatusUpdate?.(next as never, current, contextWith({}))
    expect(next.metadata).toEqual({ name: 'a' })
  })
})

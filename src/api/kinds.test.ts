import { describe, expect, it } from 'vitest'
import {
  coreEvents,
  deployments,
  events,
  ingresses,
  jobs,
  kinds,
  pods,
  replicationControllers,
  secrets,
  validatingAdmissionPolicyBindings,
} from './kinds.ts'
import { hasSubresource } from './machinery/kind.ts'
import { structOf } from './machinery/schema/schema.ts'
import { created, type Loose } from './testing/prepared-objects.ts'

describe('kinds', () => {
  it('has every resource once', () => {
    const names = kinds.map(({ group, version, plural }) => `${group}/${version}/${plural}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(kinds.map((kind) => [kind.kind, kind]))('%s has a type, and a status where it has an endpoint for it', (_, kind) => {
    expect(structOf(kind.type).byName.has('metadata')).toBe(true)
    if (hasSubresource(kind, 'status')) expect(structOf(kind.type).byName.has('status')).toBe(true)
  })

  it.each(kinds.map((kind) => [kind.kind, kind]))('%s can be scaled where it has an endpoint for it', (_, kind) => {
    expect(kind.scale !== undefined).toBe(hasSubresource(kind, 'scale'))
  })

  it('orphans by default what Kubernetes orphans', () => {
    const orphaning = kinds.filter(({ strategy }) => strategy.defaultPropagation === 'Orphan').map(({ plural }) => plural)
    expect(orphaning).toEqual(['replicationcontrollers', 'jobs'])
  })

  it('requires a resourceVersion only where Kubernetes does', () => {
    const strict = kinds.filter(({ strategy }) => strategy.unconditionalUpdate === false).map(({ plural }) => plural)
    expect(strict).toEqual([
      'apiservices',
      'clustertrustbundles',
      'podcertificaterequests',
      'poddisruptionbudgets',
      'csidrivers',
      'csinodes',
      'csistoragecapacities',
      'volumeattachments',
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
      'mutatingwebhookconfigurations',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'validatingwebhookconfigurations',
      'customresourcedefinitions',
      'leases',
      'runtimeclasses',
      'devicetaintrules',
      'storageversionmigrations',
    ])
  })
})

describe('selectableFields', () => {
  it.each<[string, Loose, Loose, Loose]>([
    [
      'a pod',
      pods,
      { spec: { nodeName: 'n', hostNetwork: true }, status: { phase: 'Running', podIPs: [{ ip: '1.1.1.1' }] } },
      {
        'spec.nodeName': 'n',
        'spec.host': 'n',
        'spec.hostNetwork': 'true',
        'status.phase': 'Running',
        'status.podIP': '1.1.1.1',
        'spec.schedulerName': '',
      },
    ],
    [
      'an event',
      coreEvents,
      { involvedObject: { kind: 'Pod' }, reportingComponent: 'r' },
      { 'involvedObject.kind': 'Pod', 'involvedObject.name': '', source: 'r' },
    ],
    [
      'an event in its own group',
      events,
      { regarding: { kind: 'Pod' }, type: 'Normal' },
      { 'regarding.kind': 'Pod', type: 'Normal', reason: '' },
    ],
    ['a secret', secrets, { type: 'Opaque' }, { type: 'Opaque' }],
    ['a Job', jobs, { status: {} }, { 'status.successful': '0' }],
    ['an empty pod', pods, {}, { 'spec.nodeName': '', 'spec.hostNetwork': 'false', 'status.podIP': '' }],
  ])('of %s', (_, kind, object, expected) => {
    const values = Object.fromEntries(Object.keys(expected).map((name) => [name, kind.selectableFields[name](object)]))
    expect(values).toEqual(expected)
  })
})

describe('columns', () => {
  it('shows both forms of an event alike', () => {
    const shared = { metadata: { name: 'e' }, type: 'Normal', reason: 'R', eventTime: '2026-01-01T00:00:00.000000Z' }
    const core = { ...shared, involvedObject: { kind: 'Pod', name: 'p' }, message: 'm', reportingComponent: 'c', count: 2 }
    const other = { ...shared, regarding: { kind: 'Pod', name: 'p' }, note: 'm', reportingController: 'c', deprecatedCount: 2 }
    const cells = coreEvents.columns?.cells(core as Loose, 0)
    expect(cells).toContain('pod/p')
    expect(events.columns?.cells(other as Loose, 0)).toEqual(cells)
  })

  it('show all addresses of an Ingress', () => {
    const ingress = [{ hostname: 'a-long-name.region.lb.example.com' }, { ip: '1.2.3.4' }]
    const cells = ingresses.columns?.cells({ metadata: {}, status: { loadBalancer: { ingress } } } as Loose, 0)
    expect(cells?.[3]).toBe('1.2.3.4,a-long-name.region.lb.example.com')
  })

  it('show the selector of a parameter as Go prints it', () => {
    const paramRef = { selector: { matchLabels: { a: 'b' } } }
    const cells = validatingAdmissionPolicyBindings.columns?.cells({ metadata: {}, spec: { paramRef } } as Loose, 0)
    expect(cells?.[2]).toBe('&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{},}')
  })
})

describe('scale', () => {
  const spec = {
    replicas: 3,
    selector: { matchLabels: { b: '2', a: '1' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['y', 'x'] }] },
  }

  it('reads and writes a Deployment', () => {
    const scale = deployments.scale!
    const deployment = created(deployments, { metadata: { name: 'd' }, spec })
    deployment.status.replicas = 2
    expect([scale.replicas(deployment), scale.statusReplicas(deployment), scale.selector(deployment)]).toEqual([3, 2, 'a=1,b=2,c in (x,y)'])
    const before = Object.keys(deployment.spec)
    scale.setReplicas(deployment, 5)
    expect(deployment.spec.replicas).toBe(5)
    expect(Object.keys(deployment.spec)).toEqual(before)
  })

  it('reads a ReplicationController, whose selector is a map', () => {
    const scale = replicationControllers.scale!
    expect(scale.selector({ spec: { selector: { b: '2', a: '1' } } } as Loose)).toBe('a=1,b=2')
  })
})

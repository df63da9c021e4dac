import { describe, expect, it } from 'vitest'
import {
  endpointSlices,
  endpoints,
  limitRanges,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  priorityClasses,
  resourceQuotas,
  secrets,
  services,
  storageClasses,
} from '../../kinds.ts'
import { created, defaulted, type Loose } from '../../testing/prepared-objects.ts'

const metadata = { name: 'x' }
const without = (object: Loose) => {
  const { kind: _, apiVersion: __, metadata: ___, ...rest } = object
  return rest
}

describe('defaults of a new object', () => {
  it.each([
    [
      'a Service',
      services,
      { spec: { ports: [{ port: 80 }], selector: { app: 'x' } } },
      {
        spec: {
          ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
          selector: { app: 'x' },
          type: 'ClusterIP',
          sessionAffinity: 'None',
          internalTrafficPolicy: 'Cluster',
        },
        status: { loadBalancer: {} },
      },
    ],
    [
      'a Service with a load balancer',
      services,
      { spec: { type: 'LoadBalancer', sessionAffinity: 'ClientIP' } },
      {
        spec: {
          type: 'LoadBalancer',
          sessionAffinity: 'ClientIP',
          externalTrafficPolicy: 'Cluster',
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
          allocateLoadBalancerNodePorts: true,
          internalTrafficPolicy: 'Cluster',
        },
        status: { loadBalancer: {} },
      },
    ],
    [
      'a Service that is only a name',
      services,
      { spec: { type: 'ExternalName', externalName: 'a.b', sessionAffinityConfig: { clientIP: { timeoutSeconds: 3 } } } },
      { spec: { type: 'ExternalName', sessionAffinity: 'None', externalName: 'a.b' }, status: { loadBalancer: {} } },
    ],
    ['a Secret', secrets, {}, { type: 'Opaque' }],
    [
      'a Secret with texts',
      secrets,
      { data: { a: 'AA==', b: 'AA==' }, stringData: { b: 'é', c: '' }, immutable: true },
      { immutable: true, data: { a: 'AA==', b: 'w6k=', c: '' }, type: 'Opaque' },
    ],
    ['a Namespace', namespaces, {}, { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }],
    [
      'a Namespace with a finalizer',
      namespaces,
      { spec: { finalizers: ['a.b/c'] }, status: { phase: 'Terminating' } },
      { spec: { finalizers: ['a.b/c', 'kubernetes'] }, status: { phase: 'Active' } },
    ],
    [
      'a claim',
      persistentVolumeClaims,
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }, status: { phase: 'Bound' } },
      {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' },
        status: { phase: 'Pending' },
      },
    ],
    [
      'a volume',
      persistentVolumes,
      { spec: { capacity: { storage: '1Gi' }, hostPath: { path: '/x' } } },
      {
        spec: {
          capacity: { storage: '1Gi' },
          hostPath: { path: '/x', type: '' },
          persistentVolumeReclaimPolicy: 'Retain',
          volumeMode: 'Filesystem',
        },
        status: { phase: 'Pending', lastPhaseTransitionTime: '2026-11-01T12:00:00Z' },
      },
    ],
    ['a StorageClass', storageClasses, { provisioner: 'x' }, { provisioner: 'x', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }],
    ['a PriorityClass', priorityClasses, { value: 5 }, { value: 5, preemptionPolicy: 'PreemptLowerPriority' }],
    [
      'a LimitRange for containers',
      limitRanges,
      { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Mi' }, default: { 'ephemeral-storage': '1Gi' } }] } },
      {
        spec: {
          limits: [
            {
              type: 'Container',
              max: { cpu: '2' },
              min: { memory: '1Mi' },
              default: { cpu: '2', 'ephemeral-storage': '1Gi' },
              defaultRequest: { cpu: '2', 'ephemeral-storage': '1Gi', memory: '1Mi' },
            },
          ],
        },
      },
    ],
    [
      'a LimitRange for pods',
      limitRanges,
      { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } },
      { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } },
    ],
    [
      'a ResourceQuota',
      resourceQuotas,
      { spec: { hard: { cpu: '1u' } }, status: { used: { cpu: '1' } } },
      { spec: { hard: { cpu: '1m' } }, status: {} },
    ],
    [
      'Endpoints',
      endpoints,
      { subsets: [{ addresses: [{ ip: '1.1.1.1' }], ports: [{ port: 80 }] }] },
      { subsets: [{ addresses: [{ ip: '1.1.1.1' }], ports: [{ port: 80, protocol: 'TCP' }] }] },
    ],
    [
      'an EndpointSlice',
      endpointSlices,
      { addressType: 'IPv4', endpoints: [{ addresses: ['1.1.1.1'], deprecatedTopology: { a: 'b' } }], ports: [{ port: 80 }] },
      {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['1.1.1.1'], conditions: {} }],
        ports: [{ name: '', protocol: 'TCP', port: 80 }],
      },
    ],
    [
      'a PodDisruptionBudget',
      podDisruptionBudgets,
      { spec: { minAvailable: 1 } },
      { spec: { minAvailable: 1 }, status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } },
    ],
  ])('%s', (_, kind, object, expected) => {
    defaulted(kind as Loose, { metadata, ...object })
    expect(without(created(kind as Loose, { metadata, ...object }))).toEqual(expected)
  })
})

describe('defaultNode()', () => {
  const node = { metadata, spec: { podCIDR: '10.0.0.0/24' }, status: { capacity: { cpu: '1500u' }, phase: 'Running' } }

  it('keeps the status of a new node, and fills it in', () => {
    expect(created(nodes, node)).toMatchObject({
      spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] },
      status: { capacity: { cpu: '2m' }, allocatable: { cpu: '2m' }, phase: 'Running' },
    })
  })

  it('takes podCIDR over podCIDRs', () => {
    const { spec } = defaulted(nodes, { metadata, spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.9.0.0/24'] } })
    expect(spec).toEqual({ podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] })
  })
})

describe('defaultNamespace()', () => {
  it('writes the name as a label, over what is there', () => {
    const labels = { 'kubernetes.io/metadata.name': 'other', a: 'b' }
    expect(defaulted(namespaces, { metadata: { name: 'n', labels } }).metadata.labels).toEqual({
      a: 'b',
      'kubernetes.io/metadata.name': 'n',
    })
  })

  it('waits for a name that is still to be made', () => {
    expect(defaulted(namespaces, { metadata: { generateName: 'n-' } }).metadata).toEqual({ generateName: 'n-' })
  })
})

describe('defaultSecret()', () => {
  it('takes keys that are words of the language', () => {
    const texts = JSON.parse('{"__proto__":"a","constructor":"b"}') as Loose
    expect(Object.entries(defaulted(secrets, { metadata, stringData: texts }).data)).toEqual([
      ['__proto__', 'YQ=='],
      ['constructor', 'Yg=='],
    ])
  })
})

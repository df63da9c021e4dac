import { describe, expect, it } from 'vitest'
import { fieldErrorMessage } from '../field-error.ts'
import type { StrategyContext } from '../kind.ts'
import * as core from '../strategies/core.ts'
import { podDisruptionBudgetStrategy } from '../strategies/pod-disruption-budget.ts'
import { podTemplateStrategy } from '../strategies/pod-template.ts'
import * as networking from '../strategies/service.ts'
import * as storage from '../strategies/storage.ts'
import { validateConfigMap, validateConfigMapUpdate, validateSecret, validateSecretUpdate } from './config-data.ts'
import { validateControllerRevision, validateControllerRevisionUpdate } from './controller-revision.ts'
import { validateEndpointSlice, validateEndpointSliceUpdate, validateEndpoints } from './endpoints.ts'
import { validateCoreEvent, validateEvent, validateEventUpdate } from './event.ts'
import { validateLease } from './lease.ts'
import { validateLimitRange } from './limit-range.ts'
import { context, makeObject, podTemplate } from './make-object.ts'
import { validateNamespace, validateNamespaceFinalizeUpdate, validateNamespaceStatusUpdate } from './namespace.ts'
import { validateNode, validateNodeUpdate } from './node.ts'
import { validatePersistentVolume, validatePersistentVolumeUpdate } from './persistent-volume.ts'
import { validatePersistentVolumeClaim, validatePersistentVolumeClaimUpdate } from './persistent-volume-claim.ts'
import {
  validatePodDisruptionBudget,
  validatePodDisruptionBudgetStatusUpdate,
  validatePodDisruptionBudgetUpdate,
} from './pod-disruption-budget.ts'
import { validatePodTemplate } from './pod-template.ts'
import { validatePriorityClass, validatePriorityClassUpdate } from './priority-class.ts'
import { validateResourceQuota, validateResourceQuotaUpdate } from './resource-quota.ts'
import { validateScale } from './scale.ts'
import { validateService, validateServiceStatusUpdate, validateServiceUpdate } from './service.ts'
import { validateStorageClass, validateStorageClassUpdate } from './storage-class.ts'

type Judge = (...values: never[]) => Parameters<typeof fieldErrorMessage>[0][]
interface Subject {
  readonly type: string
  readonly strategy: object
  readonly base: object
}
type CreateRow = readonly [name: string, change: object, messages: readonly string[]]
type UpdateRow = readonly [name: string, next: object, current: object, messages: readonly string[]]

const make = ({ type, strategy, base }: Subject, change: object) => makeObject(type, strategy, base, change)
const run = (judge: Judge, ...values: unknown[]) =>
  judge(...([...values, context satisfies StrategyContext] as never[])).map(fieldErrorMessage)

function creates(judge: Judge, subject: Subject, rows: readonly CreateRow[]): void {
  describe(`${judge.name}()`, () => {
    it.each(rows)('judges %s', (_, change, messages) => expect(run(judge, make(subject, change))).toEqual(messages))
  })
}

function updates(judge: Judge, subject: Subject, rows: readonly UpdateRow[]): void {
  describe(`${judge.name}()`, () => {
    it.each(rows)('judges %s', (_, next, current, messages) => {
      expect(run(judge, make(subject, next), make(subject, current))).toEqual(messages)
    })
  })
}

const notNegative = 'must be greater than or equal to 0'
const frozen = 'field is immutable when `immutable` is set'
const immutable = 'field is immutable'
const metadata = { name: 'a', namespace: 'default' }
const key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

const configMap: Subject = { type: 'core.ConfigMap', strategy: core.configMapStrategy, base: { metadata } }
creates(validateConfigMap, configMap, [
  ['a plain one', { data: { a: 'b', '.c_d-e': '' }, binaryData: { f: 'AAAA' } }, []],
  ['a key with a slash', { data: { 'a/b': '' } }, [`data[a/b]: Invalid value: "a/b": ${key}`]],
  [
    'a key that is there twice',
    { data: { a: '' }, binaryData: { a: 'AAAA' } },
    ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  ],
  ['too much', { data: { a: 'x'.repeat(1048577) } }, [': Too long: may not be more than 1048576 bytes']],
])
updates(validateConfigMapUpdate, configMap, [
  ['a change', { data: { a: 'c' } }, { data: { a: 'b' } }, []],
  [
    'a change of what is immutable',
    { immutable: true, data: { a: 'c' } },
    { immutable: true, data: { a: 'b' } },
    [`data: Forbidden: ${frozen}`],
  ],
  ['the end of immutability', {}, { immutable: true }, [`immutable: Forbidden: ${frozen}`]],
])

const secret: Subject = { type: 'core.Secret', strategy: core.secretStrategy, base: { metadata } }
creates(validateSecret, secret, [
  ['a plain one', { data: { a: 'AAAA' } }, []],
  ['a wrong key', { data: { 'a b': 'AAAA' } }, [`data[a b]: Invalid value: "a b": ${key}`]],
  ['too much', { data: { a: 'A'.repeat(1_400_000) } }, ['data: Too long: may not be more than 1048576 bytes']],
  [
    'a token of nobody',
    { type: 'kubernetes.io/service-account-token' },
    ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
  ],
  ['half a key pair', { type: 'kubernetes.io/tls', data: { 'tls.crt': 'AAAA' } }, ['data[tls.key]: Required value']],
  ['no credentials', { type: 'kubernetes.io/basic-auth' }, ['data[username]: Required value', 'data[password]: Required value']],
  ['no private key', { type: 'kubernetes.io/ssh-auth' }, ['data[ssh-privatekey]: Required value']],
  ['good registries', { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': btoa('{"auths":{}}') } }, []],
  [
    'registries that cannot be read',
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': btoa('{') } },
    ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input'],
  ],
  [
    'registries of another form',
    { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': btoa('[]') } },
    [
      'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
  ],
])
updates(validateSecretUpdate, secret, [
  ['another type', { type: 'b' }, { type: 'a' }, [`type: Invalid value: "b": ${immutable}`]],
  ['a change of what is immutable', { immutable: true, data: { a: 'AAAA' } }, { immutable: true }, [`data: Forbidden: ${frozen}`]],
])

const namespace: Subject = { type: 'core.Namespace', strategy: core.namespaceStrategy, base: { metadata: { name: 'a' } } }
creates(validateNamespace, namespace, [['a plain one', {}, []]])
describe('validateNamespaceFinalizeUpdate()', () => {
  it('wants finalizers that it knows, or with a domain', () => {
    const next = { metadata: { name: 'a' }, spec: { finalizers: ['kubernetes', 'a.io/b', 'c'] } }
    expect(run(validateNamespaceFinalizeUpdate, next, next)).toEqual([
      'spec.finalizers[2]: Invalid value: "c": name is neither a standard finalizer name nor is it fully qualified',
    ])
  })
})
describe('validateNamespaceStatusUpdate()', () => {
  it.each([
    ['Active', undefined, []],
    ['Terminating', '2026-01-01T00:00:00Z', []],
    ['Terminating', undefined, ['status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty']],
    [
      'Active',
      '2026-01-01T00:00:00Z',
      ['status.Phase: Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty'],
    ],
  ])('judges the phase %s with the deletion timestamp %s', (phase, deletionTimestamp, messages) => {
    const next = { metadata: { name: 'a', deletionTimestamp }, status: { phase } }
    expect(run(validateNamespaceStatusUpdate, next, next)).toEqual(messages)
  })
})

const node: Subject = { type: 'core.Node', strategy: {}, base: { metadata: { name: 'a' } } }
const taint = { key: 'a', effect: 'NoSchedule' }
creates(validateNode, node, [
  ['a plain one', { spec: { taints: [taint], podCIDRs: ['10.0.0.0/24', '2001:db8::/64'] }, status: { capacity: { cpu: '4' } } }, []],
  [
    'a wrong taint',
    { spec: { taints: [{ key: 'a', value: '-', effect: 'Never' }] } },
    [
      expect.stringContaining('metadata.taints[0].value: Invalid value: "-": a valid label must be') as unknown as string,
      'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
  ['a taint without effect', { spec: { taints: [{ key: 'a' }] } }, ['metadata.taints[0].effect: Required value']],
  [
    'a taint that is there twice',
    { spec: { taints: [taint, { ...taint, value: 'b' }] } },
    [
      'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"b","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
    ],
  ],
  ['half a pod', { status: { capacity: { pods: '1500m' } } }, ['status.capacity.pods: Invalid value: "1500m": must be an integer']],
  [
    'two blocks of a family',
    { spec: { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] } },
    ['spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family'],
  ],
])
updates(validateNodeUpdate, node, [
  ['the first block', { spec: { podCIDRs: ['10.0.0.0/24'], providerID: 'x' } }, {}, []],
  [
    'another block and another machine',
    { spec: { podCIDRs: ['10.0.1.0/24'], providerID: 'y' } },
    { spec: { podCIDRs: ['10.0.0.0/24'], providerID: 'x' } },
    [
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ],
  ],
  [
    'an address that is there twice',
    {
      status: {
        addresses: [
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'InternalIP', address: '10.0.0.1' },
        ],
      },
    },
    {},
    ['status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.1"}'],
  ],
])

const service: Subject = {
  type: 'core.Service',
  strategy: { default: networking.serviceStrategy.default },
  base: { metadata, spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] } },
}
creates(validateService, service, [
  ['a plain one', {}, []],
  ['a headless one without ports', { spec: { ports: [], clusterIP: 'None', clusterIPs: ['None'] } }, []],
  ['no ports', { spec: { ports: [] } }, ['spec.ports: Required value']],
  [
    'a wrong port',
    { spec: { ports: [{ port: 0, targetPort: 'Http' }] } },
    [
      'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ports[0].targetPort: Invalid value: "Http": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    ],
  ],
  ['ports without names', { spec: { ports: [{ port: 80 }, { port: 81, name: 'a' }] } }, ['spec.ports[0].name: Required value']],
  [
    'a port that is there twice',
    {
      spec: {
        ports: [
          { port: 80, name: 'a' },
          { port: 80, name: 'a' },
        ],
      },
    },
    [
      'spec.ports[1].name: Duplicate value: "a"',
      'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
    ],
  ],
  [
    'an unknown protocol',
    { spec: { ports: [{ port: 80, protocol: 'ICMP' }] } },
    ['spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
  ],
  [
    'an unknown type',
    { spec: { type: 'Magic' } },
    ['spec.type: Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"'],
  ],
  [
    'a node port for nothing',
    { spec: { ports: [{ port: 80, nodePort: 30000 }] } },
    ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
  ],
  [
    'an external name with an address and no name',
    { spec: { type: 'ExternalName' } },
    ['spec.clusterIPs: Forbidden: may not be set for ExternalName services', 'spec.externalName: Required value'],
  ],
  ['no external name', { spec: { type: 'ExternalName', clusterIP: null, clusterIPs: null, externalName: 'a.b.' } }, []],
  [
    'a headless load balancer',
    { spec: { type: 'NodePort', clusterIP: 'None', clusterIPs: ['None'] } },
    ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
  ],
  [
    'an unknown affinity',
    { spec: { sessionAffinity: 'Best' } },
    ['spec.sessionAffinity: Unsupported value: "Best": supported values: "ClientIP", "None"'],
  ],
  [
    'an affinity that is too long',
    { spec: { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } } } },
    ['spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400'],
  ],
  [
    'a wrong address',
    { spec: { clusterIP: '10.0.0', clusterIPs: ['10.0.0'] } },
    ['spec.clusterIPs[0]: Invalid value: "10.0.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  [
    'addresses that do not agree',
    { spec: { clusterIPs: ['10.0.0.2'] } },
    ['spec.clusterIPs: Invalid value: ["10.0.0.2"]: first value must match `clusterIP`'],
  ],
  [
    'an address of the other family',
    { spec: { ipFamilies: ['IPv6'] } },
    ['spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`'],
  ],
  [
    'a loopback as external address',
    { spec: { externalIPs: ['127.0.0.1'], externalTrafficPolicy: 'Cluster' } },
    ['spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ],
  [
    'a wrong selector',
    { spec: { selector: { 'a b': 'c' } } },
    [expect.stringContaining('spec.selector: Invalid value: "a b": name part must') as unknown as string],
  ],
  [
    'a class without a balancer',
    { spec: { loadBalancerClass: 'a/b' } },
    ["spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'"],
  ],
  [
    'ranges without a balancer',
    { spec: { loadBalancerSourceRanges: ['10.0.0.1/8'] } },
    [
      "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
      'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
    ],
  ],
  [
    'a policy for nothing',
    { spec: { externalTrafficPolicy: 'Local' } },
    ['spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services'],
  ],
  [
    'an unknown distribution',
    { spec: { trafficDistribution: 'Far' } },
    ['spec.trafficDistribution: Unsupported value: "Far": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"'],
  ],
])
updates(validateServiceUpdate, service, [
  ['another port', { spec: { ports: [{ port: 81 }] } }, {}, []],
  [
    'another address',
    { spec: { clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.2'] } },
    {},
    ['spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set'],
  ],
  [
    'no address',
    { spec: { clusterIP: null, clusterIPs: null } },
    {},
    ['spec.clusterIPs[0]: Invalid value: []: primary clusterIP can not be unset'],
  ],
  ['an external name', { spec: { type: 'ExternalName', clusterIP: null, clusterIPs: null, externalName: 'a.b' } }, {}, []],
])
describe('validateServiceStatusUpdate()', () => {
  it('wants a balancer', () => {
    const next = { ...make(service, {}), status: { loadBalancer: { ingress: [{ ip: '10.0.0.9' }] } } }
    expect(run(validateServiceStatusUpdate, next, next)).toEqual([
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ])
  })
})

const endpoints: Subject = { type: 'core.Endpoints', strategy: networking.endpointsStrategy, base: { metadata } }
creates(validateEndpoints, endpoints, [
  ['a plain one', { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] }, []],
  ['nobody', { subsets: [{}] }, ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`']],
  [
    'a link-local address',
    { subsets: [{ notReadyAddresses: [{ ip: '169.254.0.1' }] }] },
    ['subsets[0].notReadyAddresses[0].ip: Invalid value: "169.254.0.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  ],
])

const slice: Subject = {
  type: 'discovery.EndpointSlice',
  strategy: { default: networking.endpointSliceStrategy.default },
  base: { metadata, addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ port: 80 }] },
}
creates(validateEndpointSlice, slice, [
  ['a plain one', {}, []],
  ['no type', { addressType: '' }, ['addressType: Required value']],
  ['an unknown type', { addressType: 'Post' }, ['addressType: Unsupported value: "Post": supported values: "FQDN", "IPv4", "IPv6"']],
  ['an endpoint nowhere', { endpoints: [{}] }, ['endpoints[0].addresses: Required value: must contain at least 1 address']],
  [
    'an address of the other family',
    { addressType: 'IPv6' },
    ['endpoints[0].addresses: Invalid value: "10.0.0.1": must be an IPv6 address'],
  ],
  [
    'a name that is short',
    { addressType: 'FQDN', endpoints: [{ addresses: ['a'] }] },
    ['endpoints[0].addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots'],
  ],
  ['ports of one name', { ports: [{ port: 80 }, { port: 81 }] }, ['ports[1].name: Duplicate value: ""']],
])
updates(validateEndpointSliceUpdate, slice, [
  ['another type', { addressType: 'FQDN', endpoints: [] }, {}, [`addressType: Invalid value: "FQDN": ${immutable}`]],
])

const claim: Subject = {
  type: 'core.PersistentVolumeClaim',
  strategy: { default: storage.persistentVolumeClaimStrategy.default },
  base: { metadata, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
}
creates(validatePersistentVolumeClaim, claim, [
  ['a plain one', {}, []],
  ['no access', { spec: { accessModes: [] } }, ['spec.accessModes: Required value: at least 1 access mode is required']],
  [
    'an unknown access',
    { spec: { accessModes: ['Any'] } },
    ['spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"'],
  ],
  ['no size', { spec: { resources: { requests: null } } }, ['spec.resources[storage]: Required value']],
  [
    'no room',
    { spec: { resources: { requests: { storage: '0' } } } },
    ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  ],
])
const isSpecImmutable = expect.stringContaining(
  'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@',
) as unknown as string
updates(validatePersistentVolumeClaimUpdate, claim, [
  ['a volume', { spec: { volumeName: 'v' } }, {}, []],
  ['another volume', { spec: { volumeName: 'w' } }, { spec: { volumeName: 'v' } }, [isSpecImmutable]],
  ['a class where there was none', { spec: { storageClassName: 'fast' } }, {}, []],
  ['another class', { spec: { storageClassName: 'fast' } }, { spec: { storageClassName: 'slow' } }, [isSpecImmutable]],
  ['more before it is bound', { spec: { resources: { requests: { storage: '2Gi' } } } }, {}, [isSpecImmutable]],
  [
    'more when it is bound',
    { spec: { resources: { requests: { storage: '2Gi' } } }, status: { phase: 'Bound' } },
    { status: { phase: 'Bound' } },
    [],
  ],
  [
    'less than it has',
    { spec: { resources: { requests: { storage: '1Gi' } } }, status: { phase: 'Bound' } },
    { spec: { resources: { requests: { storage: '2Gi' } } }, status: { phase: 'Bound', capacity: { storage: '2Gi' } } },
    ['spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'],
  ],
])

const volume: Subject = {
  type: 'core.PersistentVolume',
  strategy: { default: storage.persistentVolumeStrategy.default },
  base: { metadata: { name: 'a' }, spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } } },
}
creates(validatePersistentVolume, volume, [
  ['a plain one', {}, []],
  ['no source', { spec: { hostPath: null } }, ['spec: Required value: must specify a volume type']],
  ['two sources', { spec: { nfs: { server: 'a', path: '/' } } }, ['spec.nfs: Forbidden: may not specify more than 1 volume type']],
  [
    'no capacity',
    { spec: { capacity: null } },
    ['spec.capacity: Required value', 'spec.capacity: Unsupported value: null: supported values: "storage"'],
  ],
  [
    'an unknown policy',
    { spec: { persistentVolumeReclaimPolicy: 'Burn' } },
    ['spec.persistentVolumeReclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Recycle", "Retain"'],
  ],
])
updates(validatePersistentVolumeUpdate, volume, [
  ['more capacity', { spec: { capacity: { storage: '2Gi' } } }, {}, []],
  [
    'another source',
    { spec: { hostPath: { path: '/y' } } },
    {},
    [
      expect.stringContaining(
        'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n@@',
      ) as unknown as string,
    ],
  ],
])

const quota: Subject = {
  type: 'core.ResourceQuota',
  strategy: core.resourceQuotaStrategy,
  base: { metadata, spec: { hard: { pods: '10' } } },
}
creates(validateResourceQuota, quota, [
  ['a plain one', { spec: { hard: { 'requests.cpu': '1', 'count/jobs.batch': '3' } } }, []],
  [
    'an unknown resource',
    { spec: { hard: { beds: '1' } } },
    [
      'spec.hard[beds]: Invalid value: "beds": must be a standard resource type or fully qualified',
      'spec.hard[beds]: Invalid value: "beds": must be a standard resource for quota',
    ],
  ],
  ['a negative amount', { spec: { hard: { pods: '-1' } } }, [`spec.hard[pods]: Invalid value: "-1": ${notNegative}`]],
  ['an unknown scope', { spec: { scopes: ['Mine'] } }, ['spec.scopes: Invalid value: ["Mine"]: unsupported scope']],
  [
    'a scope of other things',
    { spec: { hard: { pods: null, secrets: '1' }, scopes: ['BestEffort'] } },
    ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
  ],
  [
    'scopes that contradict each other',
    { spec: { scopes: ['Terminating', 'NotTerminating'] } },
    ['spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes'],
  ],
  [
    'a scope without values',
    { spec: { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In' }] } } },
    [
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ],
  ],
])
updates(validateResourceQuotaUpdate, quota, [
  ['another amount', { spec: { hard: { pods: '5' } } }, {}, []],
  ['another scope', { spec: { scopes: ['BestEffort'] } }, {}, [`spec.scopes: Invalid value: ["BestEffort"]: ${immutable}`]],
])

const limits = (...list: object[]) => ({ spec: { limits: list } })
const range: Subject = { type: 'core.LimitRange', strategy: {}, base: { metadata } }
creates(validateLimitRange, range, [
  [
    'a plain one',
    limits({ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' }, default: { cpu: '1500m' }, defaultRequest: { cpu: '1' } }),
    [],
  ],
  [
    'an unknown type',
    limits({ type: 'Zoo' }),
    ['spec.limits[0].type: Invalid value: "Zoo": must be a standard limit type or fully qualified'],
  ],
  [
    'a type that is there twice',
    limits({ type: 'Container' }, { type: 'Container' }),
    ['spec.limits[1].type: Duplicate value: "Container"'],
  ],
  [
    'defaults of pods',
    limits({ type: 'Pod', default: { cpu: '1' } }),
    ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"],
  ],
  [
    'claims of any size',
    limits({ type: 'PersistentVolumeClaim' }),
    ['spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided'],
  ],
  [
    'less than the least',
    limits({ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }),
    ['spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1'],
  ],
  [
    'a default above the most',
    limits({ type: 'Container', default: { cpu: '2' }, max: { cpu: '1' } }),
    ['spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1'],
  ],
  [
    'a ratio that cannot be',
    limits({ type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
    ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000'],
  ],
])

const coreEvent: Subject = { type: 'core.Event', strategy: {}, base: { metadata, involvedObject: { namespace: 'default' } } }
creates(validateCoreEvent, coreEvent, [
  ['a plain one', {}, []],
  [
    'another namespace',
    { involvedObject: { namespace: 'b' } },
    ['involvedObject.namespace: Invalid value: "b": does not match event.namespace'],
  ],
  ['no namespace', { involvedObject: { namespace: null } }, []],
  [
    'no namespace elsewhere',
    { metadata: { namespace: 'b' }, involvedObject: { namespace: null } },
    ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
  ],
  [
    'a new one with little in it',
    { eventTime: '2026-01-01T00:00:00.000000Z', reportingComponent: 'a' },
    ['reportingInstance: Required value', 'action: Required value', 'reason: Required value'],
  ],
])
const event: Subject = {
  type: 'events.Event',
  strategy: {},
  base: {
    metadata,
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'a.io/b',
    reportingInstance: 'c',
    action: 'd',
    reason: 'e',
    type: 'Normal',
    regarding: { namespace: 'default' },
  },
}
creates(validateEvent, event, [
  ['a plain one', {}, []],
  ['an unknown type', { type: 'Odd' }, ['type: Invalid value: "": has invalid value: Odd']],
  [
    'what the old form has',
    { deprecatedCount: 1, deprecatedSource: { host: 'x' } },
    ['count: Invalid value: "": needs to be unset', 'source: Invalid value: "": needs to be unset'],
  ],
  ['a long reason', { reason: 'x'.repeat(129) }, ['reason: Invalid value: "": can have at most 128 characters']],
  [
    'a series of one',
    { series: { count: 1, lastObservedTime: '2026-01-01T00:00:00.000000Z' } },
    ['series.count: Invalid value: "": should be at least 2'],
  ],
])
updates(validateEventUpdate, event, [
  ['a series that goes on', { series: { count: 3, lastObservedTime: '2026-01-01T00:00:00.000000Z' } }, {}, []],
  ['another reason', { reason: 'f' }, {}, [`reason: Invalid value: "f": ${immutable}`, `reason: Invalid value: "f": ${immutable}`]],
])

creates(validateLease, { type: 'coordination.Lease', strategy: {}, base: { metadata } }, [
  ['a plain one', { spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } }, []],
  ['no time', { spec: { leaseDurationSeconds: 0 } }, ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0']],
  ['fewer than no transitions', { spec: { leaseTransitions: -1 } }, [`spec.leaseTransitions: Invalid value: -1: ${notNegative}`]],
])

describe('validateLease()', () => {
  it('wants a strategy for a preferred holder', () => {
    // Behind a gate that is off, so the decoder drops them.
    const messages = ['spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined']
    expect(run(validateLease, { metadata, spec: { preferredHolder: 'a' } })).toEqual(messages)
    expect(run(validateLease, { metadata, spec: { preferredHolder: 'a', strategy: 'OldestEmulationVersion' } })).toEqual([])
    expect(run(validateLease, { metadata, spec: { strategy: 'Best' } })).toEqual([
      'spec.strategy.strategy: Unsupported value: "Best": supported values: "OldestEmulationVersion"',
    ])
  })
})

const priority: Subject = {
  type: 'scheduling.PriorityClass',
  strategy: core.priorityClassStrategy,
  base: { metadata: { name: 'a' }, value: 1 },
}
creates(validatePriorityClass, priority, [
  ['a plain one', {}, []],
  ['too much', { value: 1_000_000_001 }, ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000']],
  [
    'a name of the system',
    { metadata: { name: 'system-mine' } },
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
    ],
  ],
  ['a class of the system', { metadata: { name: 'system-node-critical' }, value: 2000001000 }, []],
  [
    'an unknown policy',
    { preemptionPolicy: 'Ask' },
    ['preemptionPolicy: Unsupported value: "Ask": supported values: "PreemptLowerPriority", "Never"'],
  ],
])
updates(validatePriorityClassUpdate, priority, [
  ['another value', { value: 2 }, {}, ['value: Forbidden: may not be changed in an update.']],
  ['another policy', { preemptionPolicy: 'Never' }, {}, [`preemptionPolicy: Invalid value: "Never": ${immutable}`]],
])

const storageClass: Subject = {
  type: 'storage.StorageClass',
  strategy: storage.storageClassStrategy,
  base: { metadata: { name: 'a' }, provisioner: 'a.io/b' },
}
creates(validateStorageClass, storageClass, [
  ['a plain one', {}, []],
  ['no provisioner', { provisioner: '' }, ['provisioner: Required value']],
  [
    'an unknown policy',
    { reclaimPolicy: 'Recycle' },
    ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
  ],
  [
    'an unknown mode',
    { volumeBindingMode: 'Later' },
    ['volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"'],
  ],
])
updates(validateStorageClassUpdate, storageClass, [
  ['other parameters', { parameters: { a: 'b' } }, {}, [`parameters: Invalid value: {"a":"b"}: ${immutable}`]],
  ['another provisioner', { provisioner: 'c.io/d' }, {}, [`provisioner: Invalid value: "c.io/d": ${immutable}`]],
])

const budget: Subject = {
  type: 'policy.PodDisruptionBudget',
  strategy: podDisruptionBudgetStrategy,
  base: { metadata, spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } },
}
creates(validatePodDisruptionBudget, budget, [
  ['a plain one', {}, []],
  [
    'both limits',
    { spec: { maxUnavailable: '50%' } },
    [
      'spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"a":"b"}},"MaxUnavailable":"50%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
  ],
  ['a negative limit', { spec: { minAvailable: -1 } }, [`spec.minAvailable: Invalid value: -1: ${notNegative}`]],
  ['more than all', { spec: { minAvailable: '101%' } }, ['spec.minAvailable: Invalid value: "101%": must not be greater than 100%']],
  [
    'an unknown policy',
    { spec: { unhealthyPodEvictionPolicy: 'Never' } },
    ['spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"'],
  ],
])
const odd = { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['-'] }] } } }
updates(validatePodDisruptionBudgetUpdate, budget, [
  ['a stored selector that would be refused today', odd, odd, []],
  ['a limit', { spec: { minAvailable: 2 } }, {}, []],
])
describe('validatePodDisruptionBudgetStatusUpdate()', () => {
  it('wants conditions in full', () => {
    const condition = { type: 'A', status: 'Perhaps', observedGeneration: -1, reason: '9' }
    const next = { ...make(budget, {}), status: { expectedPods: -1, conditions: [condition, { type: 'A', status: 'True' }] } }
    expect(run(validatePodDisruptionBudgetStatusUpdate, next, next)).toEqual([
      'status.conditions[0].status: Unsupported value: "Perhaps": supported values: "False", "True", "Unknown"',
      'status.conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
      'status.conditions[0].lastTransitionTime: Required value',
      expect.stringContaining('status.conditions[0].reason: Invalid value: "9": a condition reason must start with'),
      'status.conditions[1].type: Duplicate value: "A"',
      'status.conditions[1].lastTransitionTime: Required value',
      'status.conditions[1].reason: Required value',
      `status.expectedPods: Invalid value: -1: ${notNegative}`,
    ])
  })
})

const revision: Subject = { type: 'apps.ControllerRevision', strategy: {}, base: { metadata, revision: 1, data: { a: 1 } } }
creates(validateControllerRevision, revision, [
  ['a plain one', {}, []],
  ['no data', { data: null }, ['data: Required value: data is mandatory']],
  ['data of another form', { data: [1] }, ['data: Required value: data must be a valid JSON object']],
  ['a negative number', { revision: -1 }, [`revision: Invalid value: -1: ${notNegative}`]],
])
updates(validateControllerRevisionUpdate, revision, [
  ['another number', { revision: 2 }, {}, []],
  ['other data', { data: { a: 2 } }, {}, [`data: Invalid value: {"a":2}: ${immutable}`]],
])

creates(validatePodTemplate, { type: 'core.PodTemplate', strategy: podTemplateStrategy, base: { metadata, template: podTemplate } }, [
  ['a plain one', {}, []],
  ['no containers', { template: { spec: { containers: [] } } }, ['template.spec.containers: Required value']],
])

describe('validateScale()', () => {
  it('refuses negative replicas', () => {
    expect(validateScale({ metadata, spec: { replicas: 0 } })).toEqual([])
    expect(run(validateScale, { metadata, spec: { replicas: -1 } })).toEqual([`spec.replicas: Invalid value: -1: ${notNegative}`])
  })
})

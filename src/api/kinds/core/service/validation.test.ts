import { describe, expect, it } from 'vitest'
import { creates, make, run, type Subject, updates } from '../../../testing/judge-rows.ts'
import { serviceStrategy } from './strategy.ts'
import { validateService, validateServiceStatusUpdate, validateServiceUpdate } from './validation.ts'

const metadata = { name: 'a', namespace: 'default' }

const service: Subject = {
  type: 'core.Service',
  strategy: { default: serviceStrategy.default },
  base: { metadata, spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] } },
}
creates(validateService, service, [
  [
    'an unknown family of addresses, and nothing else is looked at',
    { spec: { ipFamilies: ['x'], ports: [{ port: 0 }] } },
    ['spec.ipFamilies[0]: Unsupported value: "x": supported values: "IPv4", "IPv6"'],
  ],
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
  [
    'an address that is none, before it is another one',
    { spec: { clusterIP: 'x', clusterIPs: ['x'] } },
    { spec: { clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'] } },
    ['spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
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
  it('requires a balancer', () => {
    const next = { ...make(service, {}), status: { loadBalancer: { ingress: [{ ip: '10.0.0.9' }] } } }
    expect(run(validateServiceStatusUpdate, next, next)).toEqual([
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ])
  })
})

// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { networkPolicies } from './kind.ts'
import { validateNetworkPolicy, validateNetworkPolicyUpdate } from './validation.ts'

const networkPolicy: Subject = { type: 'networking.NetworkPolicy', strategy: networkPolicies.strategy, base: {} }
creates(validateNetworkPolicy, networkPolicy, [
  [
    'bad protocol and ports',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        podSelector: {},
        ingress: [
          {
            ports: [
              { protocol: 'ICMP' },
              { port: 0 },
              { port: 'A_B' },
              { endPort: 5 },
              { port: 80, endPort: 70 },
              { port: 'x', endPort: 8 },
            ],
          },
        ],
      },
    },
    [
      'spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
      'spec.ingress[0].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ingress[0].ports[2].port: Invalid value: "A_B": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'spec.ingress[0].ports[2].port: Invalid value: "A_B": must contain at least one letter (a-z)',
      'spec.ingress[0].ports[3].endPort: Invalid value: 5: may not be specified when `port` is not specified',
      'spec.ingress[0].ports[4].endPort: Invalid value: 80: must be greater than or equal to `port`',
      'spec.ingress[0].ports[5].endPort: Invalid value: 8: may not be specified when `port` is non-numeric',
    ],
  ],
  [
    'bad peers',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        podSelector: {},
        ingress: [
          {
            from: [
              {},
              { ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} },
              { ipBlock: { cidr: 'abc' } },
              { ipBlock: { cidr: '10.0.0.0/16', except: ['10.1.0.0/24', '10.0.0.0/16', '10.0.1.0/24', 'x'] } },
              { ipBlock: {} },
              { ipBlock: { cidr: '10.0.0.1/8' } },
            ],
          },
        ],
      },
    },
    [
      'spec.ingress[0].from[0]: Required value: must specify a peer',
      'spec.ingress[0].from[1]: Forbidden: may not specify both ipBlock and another peer',
      'spec.ingress[0].from[2].ipBlock.cidr: Invalid value: "abc": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      'spec.ingress[0].from[3].ipBlock.except[0]: Invalid value: "10.1.0.0/24": must be a strict subset of `cidr`',
      'spec.ingress[0].from[3].ipBlock.except[1]: Invalid value: "10.0.0.0/16": must be a strict subset of `cidr`',
      'spec.ingress[0].from[3].ipBlock.except[3]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      'spec.ingress[0].from[4].ipBlock.cidr: Required value',
      'spec.ingress[0].from[5].ipBlock.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
    ],
  ],
  [
    'bad types',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'Foo' }] }, policyTypes: ['Nope'] },
    },
    [
      'spec.podSelector.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector operator',
      'spec.policyTypes[0]: Unsupported value: "Nope": supported values: "Ingress", "Egress"',
    ],
  ],
  [
    'three types',
    { metadata: { name: 'x', namespace: 'default' }, spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress', 'Ingress'] } },
    ['spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes'],
  ],
  ['no spec', { metadata: { name: 'x', namespace: 'default' } }, []],
  [
    'egress bad',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        podSelector: {},
        egress: [{ to: [{ ipBlock: { cidr: '2001:db8::/64', except: ['2001:db8::/65', '10.0.0.0/8'] } }], ports: [{ port: 70000 }] }],
      },
    },
    [
      'spec.egress[0].ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
      'spec.egress[0].to[0].ipBlock.except[1]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
    ],
  ],
])
updates(validateNetworkPolicyUpdate, networkPolicy, [
  [
    'update',
    { metadata: { name: 'x', namespace: 'default' }, spec: { podSelector: {}, policyTypes: ['x'] } },
    { metadata: { name: 'x', namespace: 'default' }, spec: { podSelector: {} } },
    ['spec.policyTypes[0]: Unsupported value: "x": supported values: "Ingress", "Egress"'],
  ],
])

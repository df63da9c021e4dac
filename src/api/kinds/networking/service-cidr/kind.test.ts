// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { serviceCidrs, validateServiceCidr } from './kind.ts'

const serviceCidr: Subject = { type: 'networking.ServiceCIDR', strategy: serviceCidrs.strategy, base: {} }
creates(validateServiceCidr, serviceCidr, [
  ['none', { metadata: { name: 'x' }, spec: {} }, ['spec.cidrs: Required value: at least one CIDR required']],
  [
    'three',
    { metadata: { name: 'x' }, spec: { cidrs: ['10.0.0.0/24', '10.1.0.0/24', '10.2.0.0/24'] } },
    ['spec.cidrs: Invalid value: {"CIDRs":["10.0.0.0/24","10.1.0.0/24","10.2.0.0/24"]}: may only hold up to 2 values'],
  ],
  [
    'two alike',
    { metadata: { name: 'x' }, spec: { cidrs: ['10.0.0.0/24', '10.1.0.0/24'] } },
    [
      'spec.cidrs: Invalid value: ["10.0.0.0/24","10.1.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    ],
  ],
  [
    'bad',
    { metadata: { name: 'x' }, spec: { cidrs: ['10.0.0.1/24'] } },
    ['spec.cidrs[0]: Invalid value: "10.0.0.1/24": must not have bits set beyond the prefix length'],
  ],
])

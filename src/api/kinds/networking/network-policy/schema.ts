import type { Types } from '../../../machinery/schema/schema.ts'

export const networkPolicyTypes: Types = {
  'networking.NetworkPolicy': {
    $typeMeta: 'object',
    spec: 'networking.NetworkPolicySpec #2',
  },
  'networking.NetworkPolicySpec': {
    podSelector: 'meta.LabelSelector always #1',
    ingress: '[]networking.NetworkPolicyIngressRule list=atomic #2',
    egress: '[]networking.NetworkPolicyEgressRule list=atomic #3',
    policyTypes: '[]string list=atomic goType=[]v1.PolicyType #4',
  },
  'networking.NetworkPolicyIngressRule': {
    ports: '[]networking.NetworkPolicyPort list=atomic #1',
    from: '[]networking.NetworkPolicyPeer list=atomic #2',
  },
  'networking.NetworkPolicyEgressRule': {
    ports: '[]networking.NetworkPolicyPort list=atomic #1',
    to: '[]networking.NetworkPolicyPeer list=atomic #2',
  },
  'networking.NetworkPolicyPort': {
    protocol: '*string enum=SCTP|TCP|UDP goType=v1.Protocol #1',
    port: '*IntOrString #2',
    endPort: '*int32 #3',
  },
  'networking.NetworkPolicyPeer': {
    podSelector: '*meta.LabelSelector #1',
    namespaceSelector: '*meta.LabelSelector #2',
    ipBlock: '*networking.IPBlock goName=IPBlock #3',
  },
  'networking.IPBlock': {
    cidr: 'string always required goName=CIDR #1',
    except: '[]string list=atomic #2',
  },
}

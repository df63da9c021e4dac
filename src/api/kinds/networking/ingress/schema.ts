import type { Types } from '../../../machinery/schema/schema.ts'

export const ingressTypes: Types = {
  'networking.Ingress': {
    $typeMeta: 'object',
    spec: 'networking.IngressSpec #2',
    status: 'networking.IngressStatus #3',
  },
  'networking.IngressSpec': {
    ingressClassName: '*string #4',
    defaultBackend: '*networking.IngressBackend #1',
    tls: '[]networking.IngressTLS list=atomic goName=TLS #2',
    rules: '[]networking.IngressRule list=atomic #3',
  },
  'networking.IngressStatus': {
    loadBalancer: 'networking.IngressLoadBalancerStatus #1',
  },
  'networking.IngressBackend': {
    service: '*networking.IngressServiceBackend #4',
    resource: '*core.TypedLocalObjectReference #3',
  },
  'networking.IngressTLS': {
    hosts: '[]string list=atomic #1',
    secretName: 'string #2',
  },
  'networking.IngressRule': {
    host: 'string #1',
    http: '*networking.HTTPIngressRuleValue goName=HTTP in=IngressRuleValue #2.1',
  },
  'networking.IngressLoadBalancerStatus': {
    ingress: '[]networking.IngressLoadBalancerIngress list=atomic #1',
  },
  'networking.IngressServiceBackend': {
    name: 'string always required #1',
    port: 'networking.ServiceBackendPort #2',
  },
  'networking.HTTPIngressRuleValue': {
    paths: '[]networking.HTTPIngressPath always list=atomic required #1',
  },
  'networking.IngressLoadBalancerIngress': {
    ip: 'string goName=IP #1',
    hostname: 'string #2',
    ports: '[]networking.IngressPortStatus list=atomic #4',
  },
  'networking.ServiceBackendPort': {
    $struct: 'atomic',
    name: 'string #1',
    number: 'int32 #2',
  },
  'networking.HTTPIngressPath': {
    path: 'string #1',
    pathType: '*string always required enum=Exact|ImplementationSpecific|Prefix goType=v1.PathType #3',
    backend: 'networking.IngressBackend always required #2',
  },
  'networking.IngressPortStatus': {
    port: 'int32 always required #1',
    protocol: 'string always required enum=SCTP|TCP|UDP goType=v1.Protocol #2',
    error: '*string #3',
  },
}

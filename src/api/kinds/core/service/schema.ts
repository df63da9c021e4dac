import type { Types } from '../../../machinery/schema/schema.ts'

export const serviceTypes: Types = {
  'core.Service': {
    $typeMeta: 'object',
    spec: 'core.ServiceSpec #2',
    status: 'core.ServiceStatus #3',
  },
  'core.ServiceSpec': {
    ports: '[]core.ServicePort patch=merge mergeKey=port list=map keys=port+protocol #1',
    selector: 'map string map=atomic #2',
    clusterIP: 'string #3',
    clusterIPs: '[]string list=atomic #18',
    type: 'string goType=v1.ServiceType #4',
    externalIPs: '[]string list=atomic #5',
    sessionAffinity: 'string goType=v1.ServiceAffinity #7',
    loadBalancerIP: 'string #8',
    loadBalancerSourceRanges: '[]string list=atomic #9',
    externalName: 'string #10',
    externalTrafficPolicy: 'string goType=v1.ServiceExternalTrafficPolicy #11',
    healthCheckNodePort: 'int32 #12',
    publishNotReadyAddresses: 'bool #13',
    sessionAffinityConfig: '*core.SessionAffinityConfig #14',
    ipFamilies: '[]string list=atomic goType=[]v1.IPFamily #19',
    ipFamilyPolicy: '*string goType=v1.IPFamilyPolicy #17',
    allocateLoadBalancerNodePorts: '*bool #20',
    loadBalancerClass: '*string #21',
    internalTrafficPolicy: '*string goType=v1.ServiceInternalTrafficPolicy #22',
    trafficDistribution: '*string #23',
  },
  'core.ServicePort': {
    name: 'string #1',
    protocol: 'string default="TCP" goType=v1.Protocol #2',
    appProtocol: '*string #6',
    port: 'int32 always required #3',
    targetPort: 'IntOrString #4',
    nodePort: 'int32 #5',
  },
  'core.SessionAffinityConfig': {
    clientIP: '*core.ClientIPConfig #1',
  },
  'core.ClientIPConfig': {
    timeoutSeconds: '*int32 #1',
  },
  'core.ServiceStatus': {
    loadBalancer: 'core.LoadBalancerStatus #1',
    conditions: '[]meta.Condition patch=merge mergeKey=type list=map keys=type #2',
  },
  'core.LoadBalancerStatus': {
    ingress: '[]core.LoadBalancerIngress list=atomic #1',
  },
  'core.LoadBalancerIngress': {
    ip: 'string #1',
    hostname: 'string #2',
    ipMode: '*string goType=v1.LoadBalancerIPMode #3',
    ports: '[]core.PortStatus list=atomic #4',
  },
  'core.PortStatus': {
    port: 'int32 always required #1',
    protocol: 'string always required goType=v1.Protocol #2',
    error: '*string #3',
  },
}

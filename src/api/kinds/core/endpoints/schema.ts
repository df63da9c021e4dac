import type { Types } from '../../../machinery/schema/schema.ts'

export const endpointsTypes: Types = {
  'core.Endpoints': {
    $typeMeta: 'object',
    subsets: '[]core.EndpointSubset list=atomic #2',
  },
  'core.EndpointSubset': {
    addresses: '[]core.EndpointAddress list=atomic #1',
    notReadyAddresses: '[]core.EndpointAddress list=atomic #2',
    ports: '[]core.EndpointPort list=atomic #3',
  },
  'core.EndpointAddress': {
    $struct: 'atomic',
    ip: 'string always required #1',
    hostname: 'string #3',
    nodeName: '*string #4',
    targetRef: '*core.ObjectReference #2',
  },
  'core.EndpointPort': {
    $struct: 'atomic',
    name: 'string #1',
    port: 'int32 always required #2',
    protocol: 'string goType=v1.Protocol #3',
    appProtocol: '*string #4',
  },
}

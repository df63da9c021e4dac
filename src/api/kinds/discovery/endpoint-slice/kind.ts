import { ageColumn, columnsOf, nameColumn, shortList, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { EndpointSlice } from '../../../types.ts'
import { endpointSliceStrategy } from './strategy.ts'

export const endpointSlices: Kind<EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
  type: 'discovery.EndpointSlice',
  types: {
    'discovery.EndpointSlice': {
      $typeMeta: 'object',
      addressType: 'string always required goType=v1.AddressType #4',
      endpoints: '[]discovery.Endpoint always list=atomic #2',
      ports: '[]discovery.EndpointPort always list=atomic #3',
    },
    'discovery.Endpoint': {
      addresses: '[]string always list=set required #1',
      conditions: 'discovery.EndpointConditions #2',
      hostname: '*string #3',
      targetRef: '*core.ObjectReference #4',
      deprecatedTopology: 'map string #5',
      nodeName: '*string #6',
      zone: '*string #7',
      hints: '*discovery.EndpointHints #8',
    },
    'discovery.EndpointConditions': {
      ready: '*bool #1',
      serving: '*bool #2',
      terminating: '*bool #3',
    },
    'discovery.EndpointHints': {
      forZones: '[]discovery.ForZone list=atomic #1',
      forNodes: '[]discovery.ForNode list=atomic #2',
    },
    'discovery.ForZone': {
      name: 'string always required #1',
    },
    'discovery.ForNode': {
      name: 'string always required #1',
    },
    'discovery.EndpointPort': {
      $struct: 'atomic',
      name: '*string #1',
      protocol: '*string goType=v1.Protocol #2',
      port: '*int32 #3',
      appProtocol: '*string #4',
    },
  },
  strategy: endpointSliceStrategy,
  columns: columnsOf([
    nameColumn,
    text('AddressType', 'What its addresses are.', ({ addressType }) => addressType ?? ''),
    text('Ports', 'The ports of every endpoint.', ({ ports }) =>
      shortList((ports ?? []).map(({ port, name }) => (port !== undefined ? String(port) : (name ?? '*')))),
    ),
    text('Endpoints', 'The addresses.', ({ endpoints }) => shortList((endpoints ?? []).flatMap(({ addresses }) => addresses ?? []))),
    ageColumn,
  ]),
}

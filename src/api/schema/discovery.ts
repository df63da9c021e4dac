// The types of discovery/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const discovery = {
  EndpointSlice: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    addressType: 'string always required #4',
    endpoints: '[]discovery.Endpoint always list=atomic #2',
    ports: '[]discovery.EndpointPort always list=atomic #3',
  },
  Endpoint: {
    addresses: '[]string always list=set required #1',
    conditions: 'discovery.EndpointConditions #2',
    hostname: '*string #3',
    targetRef: '*core.ObjectReference #4',
    deprecatedTopology: 'map string #5',
    nodeName: '*string #6',
    zone: '*string #7',
    hints: '*discovery.EndpointHints #8',
  },
  EndpointConditions: {
    ready: '*bool #1',
    serving: '*bool #2',
    terminating: '*bool #3',
  },
  EndpointHints: {
    forZones: '[]discovery.ForZone list=atomic #1',
    forNodes: '[]discovery.ForNode list=atomic #2',
  },
  ForZone: {
    name: 'string always required #1',
  },
  ForNode: {
    name: 'string always required #1',
  },
  EndpointPort: {
    $struct: 'atomic',
    name: '*string #1',
    protocol: '*string #2',
    port: '*int32 #3',
    appProtocol: '*string #4',
  },
} as const

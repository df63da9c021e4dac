// The types of discovery/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const discovery = {
  EndpointSlice: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    addressType: 'string always required',
    endpoints: '[]discovery.Endpoint always list=atomic',
    ports: '[]discovery.EndpointPort always list=atomic',
  },
  Endpoint: {
    addresses: '[]string always list=set required',
    conditions: 'discovery.EndpointConditions',
    hostname: '*string',
    targetRef: '*core.ObjectReference',
    deprecatedTopology: 'map string',
    nodeName: '*string',
    zone: '*string',
    hints: '*discovery.EndpointHints',
  },
  EndpointConditions: {
    ready: '*bool',
    serving: '*bool',
    terminating: '*bool',
  },
  EndpointHints: {
    forZones: '[]discovery.ForZone list=atomic',
    forNodes: '[]discovery.ForNode list=atomic',
  },
  ForZone: {
    name: 'string always required',
  },
  ForNode: {
    name: 'string always required',
  },
  EndpointPort: {
    $struct: 'atomic',
    name: '*string',
    protocol: '*string',
    port: '*int32',
    appProtocol: '*string',
  },
} as const

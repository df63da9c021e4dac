import type { Types } from '../../../machinery/schema/schema.ts'

export const resourceClaimTypes: Types = {
  'resource.ResourceClaim': {
    $typeMeta: 'object',
    spec: 'resource.ResourceClaimSpec always required #2',
    status: 'resource.ResourceClaimStatus #3',
  },
  'resource.ResourceClaimSpec': {
    devices: 'resource.DeviceClaim always #1',
  },
  'resource.ResourceClaimStatus': {
    allocation: '*resource.AllocationResult #1',
    reservedFor: '[]resource.ResourceClaimConsumerReference patch=merge mergeKey=uid list=map keys=uid #2',
    devices: '[]resource.AllocatedDeviceStatus list=map keys=driver+device+pool+shareID #4',
  },
  'resource.DeviceClaim': {
    requests: '[]resource.DeviceRequest always list=atomic #1',
    constraints: '[]resource.DeviceConstraint list=atomic #2',
    config: '[]resource.DeviceClaimConfiguration list=atomic #3',
  },
  'resource.AllocationResult': {
    devices: 'resource.DeviceAllocationResult #1',
    nodeSelector: '*core.NodeSelector #3',
    allocationTimestamp: '*Time #5',
  },
  'resource.ResourceClaimConsumerReference': {
    apiGroup: 'string goName=APIGroup #1',
    resource: 'string always required #3',
    name: 'string always required #4',
    uid: 'string always required goType=types.UID goName=UID #5',
  },
  'resource.AllocatedDeviceStatus': {
    driver: 'string always required #1',
    pool: 'string always required #2',
    device: 'string always required #3',
    shareID: '*string #7',
    conditions: '[]meta.Condition always list=map keys=type #4',
    data: '*any #5',
    networkData: '*resource.NetworkDeviceData #6',
  },
  'resource.DeviceRequest': {
    name: 'string always required #1',
    exactly: '*resource.ExactDeviceRequest #2',
    firstAvailable: '[]resource.DeviceSubRequest list=atomic #3',
  },
  'resource.DeviceConstraint': {
    requests: '[]string list=atomic #1',
    matchAttribute: '*string goType=v1.FullyQualifiedName #2',
    distinctAttribute: '*string goType=v1.FullyQualifiedName #3',
  },
  'resource.DeviceClaimConfiguration': {
    requests: '[]string list=atomic #1',
    opaque: '*resource.OpaqueDeviceConfiguration in=DeviceConfiguration #2.1',
  },
  'resource.DeviceAllocationResult': {
    results: '[]resource.DeviceRequestAllocationResult list=atomic #1',
    config: '[]resource.DeviceAllocationConfiguration list=atomic #2',
  },
  'resource.NetworkDeviceData': {
    interfaceName: 'string #1',
    ips: '[]string list=atomic goName=IPs #2',
    hardwareAddress: 'string #3',
  },
  'resource.ExactDeviceRequest': {
    deviceClassName: 'string always required #1',
    selectors: '[]resource.DeviceSelector list=atomic #2',
    allocationMode: 'string enum=All|ExactCount goType=v1.DeviceAllocationMode #3',
    count: 'int64 #4',
    adminAccess: '*bool #5',
    tolerations: '[]resource.DeviceToleration list=atomic #6',
    capacity: '*resource.CapacityRequirements #7',
  },
  'resource.DeviceSubRequest': {
    name: 'string always required #1',
    deviceClassName: 'string always required #2',
    selectors: '[]resource.DeviceSelector list=atomic #3',
    allocationMode: 'string enum=All|ExactCount goType=v1.DeviceAllocationMode #4',
    count: 'int64 #5',
    tolerations: '[]resource.DeviceToleration list=atomic #6',
    capacity: '*resource.CapacityRequirements #7',
  },
  'resource.DeviceRequestAllocationResult': {
    request: 'string always required #1',
    driver: 'string always required #2',
    pool: 'string always required #3',
    device: 'string always required #4',
    adminAccess: '*bool #5',
    tolerations: '[]resource.DeviceToleration list=atomic #6',
    bindingConditions: '[]string list=atomic #7',
    bindingFailureConditions: '[]string list=atomic #8',
    shareID: '*string goType=types.UID #9',
    consumedCapacity: 'map Quantity goType=map[v1.QualifiedName]resource.Quantity #10',
  },
  'resource.DeviceAllocationConfiguration': {
    source: 'string always required enum=FromClaim|FromClass goType=v1.AllocationConfigSource #1',
    requests: '[]string list=atomic #2',
    opaque: '*resource.OpaqueDeviceConfiguration in=DeviceConfiguration #3.1',
  },
  'resource.DeviceToleration': {
    key: 'string #1',
    operator: 'string enum=Equal|Exists default="Equal" goType=v1.DeviceTolerationOperator #2',
    value: 'string #3',
    effect: 'string enum=NoExecute|NoSchedule|None goType=v1.DeviceTaintEffect #4',
    tolerationSeconds: '*int64 #5',
  },
  'resource.CapacityRequirements': {
    requests: 'map Quantity goType=map[v1.QualifiedName]resource.Quantity #1',
  },
}

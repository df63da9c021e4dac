import type { Types } from '../../../machinery/schema/schema.ts'

export const resourceSliceTypes: Types = {
  'resource.ResourceSlice': {
    $typeMeta: 'object',
    spec: 'resource.ResourceSliceSpec always required #2',
  },
  'resource.ResourceSliceSpec': {
    driver: 'string always required #1',
    pool: 'resource.ResourcePool always required #2',
    nodeName: '*string #3',
    nodeSelector: '*core.NodeSelector #4',
    allNodes: '*bool #5',
    devices: '[]resource.Device list=atomic #6',
    perDeviceNodeSelection: '*bool #7',
    sharedCounters: '[]resource.CounterSet list=atomic #8',
  },
  'resource.ResourcePool': {
    name: 'string always required #1',
    generation: 'int64 always required #2',
    resourceSliceCount: 'int64 always required #3',
  },
  'resource.Device': {
    name: 'string always required #1',
    attributes: 'map resource.DeviceAttribute goType=map[v1.QualifiedName]v1.DeviceAttribute #2',
    capacity: 'map resource.DeviceCapacity goType=map[v1.QualifiedName]v1.DeviceCapacity #3',
    consumesCounters: '[]resource.DeviceCounterConsumption list=atomic #4',
    nodeName: '*string #5',
    nodeSelector: '*core.NodeSelector #6',
    allNodes: '*bool #7',
    taints: '[]resource.DeviceTaint list=atomic #8',
    bindsToNode: '*bool #9',
    bindingConditions: '[]string list=atomic #10',
    bindingFailureConditions: '[]string list=atomic #11',
    allowMultipleAllocations: '*bool #12',
    nodeAllocatableResourceMappings:
      'map resource.NodeAllocatableResourceMapping goType=map[v1.ResourceName]v1.NodeAllocatableResourceMapping #13',
  },
  'resource.CounterSet': {
    name: 'string always required #1',
    counters: 'map resource.Counter required #2',
  },
  'resource.DeviceAttribute': {
    int: '*int64 goName=IntValue #2',
    bool: '*bool goName=BoolValue #3',
    string: '*string goName=StringValue #4',
    version: '*string goName=VersionValue #5',
    ints: '[]int64 list=atomic goName=IntValues #6',
    bools: '[]bool list=atomic goName=BoolValues #7',
    strings: '[]string list=atomic goName=StringValues #8',
    versions: '[]string list=atomic goName=VersionValues #9',
  },
  'resource.DeviceCapacity': {
    value: 'Quantity always required #1',
    requestPolicy: '*resource.CapacityRequestPolicy #2',
  },
  'resource.DeviceCounterConsumption': {
    counterSet: 'string always required #1',
    counters: 'map resource.Counter required #2',
  },
  'resource.DeviceTaint': {
    key: 'string always required #1',
    value: 'string #2',
    effect: 'string always required enum=NoExecute|NoSchedule|None goType=v1.DeviceTaintEffect #3',
    timeAdded: '*Time #4',
  },
  'resource.NodeAllocatableResourceMapping': {
    capacityKey: '*string goType=v1.QualifiedName #1',
    allocationMultiplier: '*Quantity #2',
  },
  'resource.Counter': {
    value: 'Quantity always required #1',
  },
  'resource.CapacityRequestPolicy': {
    default: '*Quantity always #1',
    validValues: '[]Quantity list=atomic #3',
    validRange: '*resource.CapacityRequestPolicyRange #4',
  },
  'resource.CapacityRequestPolicyRange': {
    min: '*Quantity required #1',
    max: '*Quantity #2',
    step: '*Quantity #3',
  },
}

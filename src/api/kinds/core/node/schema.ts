import type { Types } from '../../../machinery/schema/schema.ts'

export const nodeTypes: Types = {
  'core.Node': {
    $typeMeta: 'object',
    spec: 'core.NodeSpec #2',
    status: 'core.NodeStatus #3',
  },
  'core.NodeSpec': {
    podCIDR: 'string #1',
    podCIDRs: '[]string patch=merge list=set #7',
    providerID: 'string #3',
    unschedulable: 'bool #4',
    taints: '[]core.Taint list=atomic #5',
    configSource: '*core.NodeConfigSource #6',
    externalID: 'string #2',
  },
  'core.Taint': {
    key: 'string always required #1',
    value: 'string #2',
    effect: 'string always required goType=v1.TaintEffect #3',
    timeAdded: '*Time #4',
  },
  'core.NodeConfigSource': {
    configMap: '*core.ConfigMapNodeConfigSource #2',
  },
  'core.ConfigMapNodeConfigSource': {
    namespace: 'string always required #1',
    name: 'string always required #2',
    uid: 'string goType=types.UID #3',
    resourceVersion: 'string #4',
    kubeletConfigKey: 'string always required #5',
  },
  'core.NodeStatus': {
    capacity: 'map Quantity goType=v1.ResourceList #1',
    allocatable: 'map Quantity goType=v1.ResourceList #2',
    phase: 'string goType=v1.NodePhase #3',
    conditions: '[]core.NodeCondition patch=merge mergeKey=type list=map keys=type #4',
    addresses: '[]core.NodeAddress patch=merge mergeKey=type list=map keys=type #5',
    daemonEndpoints: 'core.NodeDaemonEndpoints #6',
    nodeInfo: 'core.NodeSystemInfo #7',
    images: '[]core.ContainerImage list=atomic #8',
    volumesInUse: '[]string list=atomic goType=[]v1.UniqueVolumeName #9',
    volumesAttached: '[]core.AttachedVolume list=atomic #10',
    config: '*core.NodeConfigStatus #11',
    runtimeHandlers: '[]core.NodeRuntimeHandler list=atomic #12',
    features: '*core.NodeFeatures #13',
    declaredFeatures: '[]string list=atomic #14',
  },
  'core.NodeCondition': {
    type: 'string always required goType=v1.NodeConditionType #1',
    status: 'string always required goType=v1.ConditionStatus #2',
    lastHeartbeatTime: 'Time #3',
    lastTransitionTime: 'Time #4',
    reason: 'string #5',
    message: 'string #6',
  },
  'core.NodeAddress': {
    type: 'string always required goType=v1.NodeAddressType #1',
    address: 'string always required #2',
  },
  'core.NodeDaemonEndpoints': {
    kubeletEndpoint: 'core.DaemonEndpoint #1',
  },
  'core.DaemonEndpoint': {
    Port: 'int32 always required #1',
  },
  'core.NodeSystemInfo': {
    machineID: 'string always required #1',
    systemUUID: 'string always required #2',
    bootID: 'string always required #3',
    kernelVersion: 'string always required #4',
    osImage: 'string always required #5',
    containerRuntimeVersion: 'string always required #6',
    kubeletVersion: 'string always required #7',
    kubeProxyVersion: 'string always required #8',
    operatingSystem: 'string always required #9',
    architecture: 'string always required #10',
    swap: '*core.NodeSwapStatus #11',
  },
  'core.NodeSwapStatus': {
    capacity: '*int64 #1',
  },
  'core.ContainerImage': {
    names: '[]string always list=atomic #1',
    sizeBytes: 'int64 #2',
  },
  'core.AttachedVolume': {
    name: 'string always required goType=v1.UniqueVolumeName #1',
    devicePath: 'string always required #2',
  },
  'core.NodeConfigStatus': {
    assigned: '*core.NodeConfigSource #1',
    active: '*core.NodeConfigSource #2',
    lastKnownGood: '*core.NodeConfigSource #3',
    error: 'string #4',
  },
  'core.NodeRuntimeHandler': {
    name: 'string always #1',
    features: '*core.NodeRuntimeHandlerFeatures #2',
  },
  'core.NodeRuntimeHandlerFeatures': {
    recursiveReadOnlyMounts: '*bool #1',
    userNamespaces: '*bool #2',
  },
  'core.NodeFeatures': {
    supplementalGroupsPolicy: '*bool #1',
  },
}

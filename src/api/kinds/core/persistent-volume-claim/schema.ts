import type { Types } from '../../../machinery/schema/schema.ts'

export const persistentVolumeClaimTypes: Types = {
  'core.PersistentVolumeClaimSpec': {
    accessModes: '[]string list=atomic goType=[]v1.PersistentVolumeAccessMode #1',
    selector: '*meta.LabelSelector #4',
    resources: 'core.VolumeResourceRequirements #2',
    volumeName: 'string #3',
    storageClassName: '*string #5',
    volumeMode: '*string goType=v1.PersistentVolumeMode #6',
    dataSource: '*core.TypedLocalObjectReference #7',
    dataSourceRef: '*core.TypedObjectReference #8',
    volumeAttributesClassName: '*string #9',
  },
  'core.VolumeResourceRequirements': {
    limits: 'map Quantity goType=v1.ResourceList #1',
    requests: 'map Quantity goType=v1.ResourceList #2',
  },
  'core.TypedLocalObjectReference': {
    $struct: 'atomic',
    apiGroup: '*string always goName=APIGroup #1',
    kind: 'string always required #2',
    name: 'string always required #3',
  },
  'core.TypedObjectReference': {
    apiGroup: '*string always goName=APIGroup #1',
    kind: 'string always required #2',
    name: 'string always required #3',
    namespace: '*string #4',
  },
  'core.PersistentVolumeClaim': {
    $typeMeta: 'object',
    spec: 'core.PersistentVolumeClaimSpec #2',
    status: 'core.PersistentVolumeClaimStatus #3',
  },
  'core.PersistentVolumeClaimStatus': {
    phase: 'string goType=v1.PersistentVolumeClaimPhase #1',
    accessModes: '[]string list=atomic goType=[]v1.PersistentVolumeAccessMode #2',
    capacity: 'map Quantity goType=v1.ResourceList #3',
    conditions: '[]core.PersistentVolumeClaimCondition patch=merge mergeKey=type list=map keys=type #4',
    allocatedResources: 'map Quantity goType=v1.ResourceList #5',
    allocatedResourceStatuses: 'map string map=granular goType=map[v1.ResourceName]v1.ClaimResourceStatus #7',
    currentVolumeAttributesClassName: '*string #8',
    modifyVolumeStatus: '*core.ModifyVolumeStatus #9',
  },
  'core.PersistentVolumeClaimCondition': {
    type: 'string always required goType=v1.PersistentVolumeClaimConditionType #1',
    status: 'string always required goType=v1.ConditionStatus #2',
    lastProbeTime: 'Time #3',
    lastTransitionTime: 'Time #4',
    reason: 'string #5',
    message: 'string #6',
  },
  'core.ModifyVolumeStatus': {
    targetVolumeAttributesClassName: 'string #1',
    status: 'string always required goType=v1.PersistentVolumeClaimModifyVolumeStatus #2',
  },
}

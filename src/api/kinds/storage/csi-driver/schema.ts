import type { Types } from '../../../machinery/schema/schema.ts'

export const csiDriverTypes: Types = {
  'storage.CSIDriver': {
    $typeMeta: 'object',
    spec: 'storage.CSIDriverSpec always required #2',
  },
  'storage.CSIDriverSpec': {
    attachRequired: '*bool #1',
    podInfoOnMount: '*bool #2',
    volumeLifecycleModes: '[]string list=set goType=[]v1.VolumeLifecycleMode #3',
    storageCapacity: '*bool #4',
    fsGroupPolicy: '*string goType=v1.FSGroupPolicy goName=FSGroupPolicy #5',
    tokenRequests: '[]storage.TokenRequest list=atomic #6',
    requiresRepublish: '*bool #7',
    seLinuxMount: '*bool goName=SELinuxMount #8',
    nodeAllocatableUpdatePeriodSeconds: '*int64 #9',
    serviceAccountTokenInSecrets: '*bool #10',
    preventPodSchedulingIfMissing: '*bool #11',
  },
  'storage.TokenRequest': {
    audience: 'string always required #1',
    expirationSeconds: '*int64 #2',
  },
}

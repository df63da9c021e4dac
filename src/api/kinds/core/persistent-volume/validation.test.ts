import { expect } from 'vitest'
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { persistentVolumes } from './kind.ts'
import { validatePersistentVolume, validatePersistentVolumeUpdate } from './validation.ts'

const volume: Subject = {
  type: 'core.PersistentVolume',
  strategy: { default: persistentVolumes.strategy.default },
  base: { metadata: { name: 'a' }, spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } } },
}
creates(validatePersistentVolume, volume, [
  ['a plain one', {}, []],
  ['no source', { spec: { hostPath: null } }, ['spec: Required value: must specify a volume type']],
  ['two sources', { spec: { nfs: { server: 'a', path: '/' } } }, ['spec.nfs: Forbidden: may not specify more than 1 volume type']],
  [
    'no capacity',
    { spec: { capacity: null } },
    ['spec.capacity: Required value', 'spec.capacity: Unsupported value: null: supported values: "storage"'],
  ],
  [
    'an unknown type of path',
    { spec: { hostPath: { path: '/x', type: 'Any' } } },
    [expect.stringContaining('spec.hostPath.type: Unsupported value: "Any"')],
  ],
  [
    'no constraints in its affinity',
    { spec: { nodeAffinity: {} } },
    ['spec.nodeAffinity.required: Required value: must specify required node constraints'],
  ],
  [
    'an affinity that says nothing',
    { spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }] } } } },
    [
      "spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
  ],
  [
    'a local one that could be anywhere',
    { spec: { hostPath: null, local: { path: '/a/../b' } } },
    [
      `spec.local.path: Invalid value: "/a/../b": must not contain '..'`,
      'spec.nodeAffinity: Required value: Local volume requires node affinity',
    ],
  ],
  [
    'a driver with a bad name and a secret without one',
    { spec: { hostPath: null, csi: { driver: 'a b', volumeHandle: '', nodeExpandSecretRef: { namespace: 'a.b' } } } },
    [
      expect.stringContaining('spec.csi.driver: Invalid value: "a b": a lowercase RFC 1123 subdomain must'),
      'spec.csi.volumeHandle: Required value',
      'spec.csi.nodeExpandSecretRef.name: Required value',
      'spec.csi.nodeExpandSecretRef.namespace: Invalid value: "a.b": must not contain dots',
    ],
  ],
  [
    'a disk that is not whole',
    { spec: { hostPath: null, azureDisk: { kind: 'Managed', cachingMode: 'None', fsType: 'ext4', readOnly: false } } },
    [
      'spec.azureDisk.diskName: Required value',
      'spec.azureDisk.diskURI: Required value',
      'spec.azureDisk.diskURI: Unsupported value: "": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
    ],
  ],
  [
    'an unknown policy',
    { spec: { persistentVolumeReclaimPolicy: 'Burn' } },
    ['spec.persistentVolumeReclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Recycle", "Retain"'],
  ],
])
updates(validatePersistentVolumeUpdate, volume, [
  ['more capacity', { spec: { capacity: { storage: '2Gi' } } }, {}, []],
  [
    'another source',
    { spec: { hostPath: { path: '/y' } } },
    {},
    [
      `spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation
@@ -2,7 +2,7 @@
  "GCEPersistentDisk": null,
  "AWSElasticBlockStore": null,
  "HostPath": {
-  "Path": "/x",
+  "Path": "/y",
   "Type": ""
  },
  "Glusterfs": null,
`,
    ],
  ],
])

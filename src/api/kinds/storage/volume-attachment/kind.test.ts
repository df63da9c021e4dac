// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { validateVolumeAttachment, validateVolumeAttachmentUpdate, volumeAttachments } from './kind.ts'

const attachment: Subject = {
  type: 'storage.VolumeAttachment',
  strategy: volumeAttachments.strategy,
  base: { metadata: { name: 'a' }, spec: { attacher: 'x', nodeName: 'n', source: { persistentVolumeName: 'p' } } },
}
creates(validateVolumeAttachment, attachment, [
  ['a good one', {}, []],
  [
    'no volume and no attacher',
    { spec: { attacher: '', source: { persistentVolumeName: undefined } } },
    ['spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName', 'spec.attacher: Required value'],
  ],
  [
    'an inline volume with parts of a PersistentVolume',
    {
      spec: {
        source: {
          persistentVolumeName: undefined,
          inlineVolumeSpec: { capacity: { storage: '1' }, claimRef: { name: 'c' }, persistentVolumeReclaimPolicy: 'Delete' },
        },
      },
    },
    [
      'spec.source.inlineVolumeSpec.claimRef: Forbidden: may not be specified in the context of inline volumes',
      'spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes',
      'spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes',
      'spec.source.inlineVolumeSpec.accessModes: Required value',
      'spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes',
    ],
  ],
])
updates(validateVolumeAttachmentUpdate, attachment, [['the same', {}, {}, []]])

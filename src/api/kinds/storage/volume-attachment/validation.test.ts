// The messages are those of kube-apiserver v1.36.4.
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { volumeAttachments } from './kind.ts'
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './validation.ts'

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
    ['spec.attacher: Required value', 'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
  ],
])
updates(validateVolumeAttachmentUpdate, attachment, [['the same', {}, {}, []]])

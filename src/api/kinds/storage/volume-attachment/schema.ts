import type { Types } from '../../../machinery/schema/schema.ts'

export const volumeAttachmentTypes: Types = {
  'storage.VolumeAttachment': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'storage.VolumeAttachmentSpec always required #2',
    status: 'storage.VolumeAttachmentStatus #3',
  },
  'storage.VolumeAttachmentSpec': {
    attacher: 'string always required #1',
    source: 'storage.VolumeAttachmentSource always required #2',
    nodeName: 'string always required #3',
  },
  'storage.VolumeAttachmentStatus': {
    attached: 'bool always required #1',
    attachmentMetadata: 'map string #2',
    attachError: '*storage.VolumeError #3',
    detachError: '*storage.VolumeError #4',
  },
  'storage.VolumeAttachmentSource': {
    persistentVolumeName: '*string #1',
    inlineVolumeSpec: '*core.PersistentVolumeSpec #2',
  },
  'storage.VolumeError': {
    time: 'Time #1',
    message: 'string #2',
    errorCode: '*int32 #3',
  },
}

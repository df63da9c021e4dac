import type { Kind } from '../../../machinery/kind.ts'
import type { VolumeAttachment } from '../../../types.ts'
import { volumeAttachmentColumns } from './columns.ts'
import { volumeAttachmentTypes } from './schema.ts'
import { volumeAttachmentStrategy } from './strategy.ts'

export const volumeAttachments: Kind<VolumeAttachment> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  singular: 'volumeattachment',
  namespaced: false,
  type: 'storage.VolumeAttachment',
  types: volumeAttachmentTypes,
  strategy: volumeAttachmentStrategy,
  subresources: { status: true },
  columns: volumeAttachmentColumns,
  returnsDeletedObject: true,
}

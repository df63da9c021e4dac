import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { VolumeAttachment } from '../../../types.ts'
import { volumeAttachmentColumns } from './columns.ts'
import { volumeAttachmentTypes } from './schema.ts'
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './validation.ts'

export const volumeAttachments: Kind<VolumeAttachment> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  namespaced: false,
  type: 'storage.VolumeAttachment',
  types: volumeAttachmentTypes,
  strategy: {
    names: 'dns-subdomain',
    unconditionalUpdate: false,
    ...ownStatus('storage.VolumeAttachmentStatus'),
    validate: validateVolumeAttachment,
    validateUpdate: validateVolumeAttachmentUpdate,
  },
  subresources: { status: true },
  columns: volumeAttachmentColumns,
  returnsDeletedObject: true,
}

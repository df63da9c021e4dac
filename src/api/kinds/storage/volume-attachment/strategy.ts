import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { VolumeAttachment } from '../../../types.ts'
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './validation.ts'

export const volumeAttachmentStrategy: Strategy<VolumeAttachment> = {
  names: 'dns-subdomain',
  unconditionalUpdate: false,
  ...ownStatus('storage.VolumeAttachmentStatus'),
  validate: validateVolumeAttachment,
  validateUpdate: validateVolumeAttachmentUpdate,
}

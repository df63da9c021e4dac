// Kubernetes: pkg/registry/storage/volumeattachment.volumeAttachmentStrategy.*, volumeAttachmentStatusStrategy.*
// Kubernetes: pkg/printers/internalversion.printVolumeAttachment
import { ageColumn, boolean, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { VolumeAttachment } from '../../../types.ts'
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './validation.ts'

export const volumeAttachments: Kind<VolumeAttachment> = {
  ...resource('storage.VolumeAttachment'),
  strategy: {
    unconditionalUpdate: false,
    ...ownStatus('storage.VolumeAttachmentStatus'),
    ...onlyStatus(),
    metadata: { onUpdate: ['as new'], onStatusUpdate: [] },
    validate: validateVolumeAttachment,
    validateUpdate: validateVolumeAttachmentUpdate,
  },
  columns: columnsOf([
    nameColumn,
    { ...text('Attacher', 'The driver that attaches the volume.', ({ spec }) => spec?.attacher ?? ''), format: 'name' },
    text('PV', 'The volume.', ({ spec }) => spec?.source?.persistentVolumeName ?? ''),
    text('Node', 'The node that it is attached to.', ({ spec }) => spec?.nodeName ?? ''),
    boolean('Attached', 'Whether it is attached.', ({ status }) => status?.attached ?? false),
    ageColumn,
  ]),
  returnsDeletedObject: true,
}

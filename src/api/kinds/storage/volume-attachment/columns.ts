import { ageColumn, boolean, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { VolumeAttachment } from '../../../types.ts'

export const volumeAttachmentColumns = columnsOf<VolumeAttachment>([
  nameColumn,
  { ...text('Attacher', 'The driver that attaches the volume.', ({ spec }) => spec?.attacher ?? ''), format: 'name' },
  text('PV', 'The volume.', ({ spec }) => spec?.source?.persistentVolumeName ?? ''),
  text('Node', 'The node that it is attached to.', ({ spec }) => spec?.nodeName ?? ''),
  boolean('Attached', 'Whether it is attached.', ({ status }) => status?.attached ?? false),
  ageColumn,
])

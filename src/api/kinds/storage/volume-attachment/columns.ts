import { ageColumn, ageOf, boolean, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { VolumeAttachment } from '../../../types.ts'

export const volumeAttachmentColumns: Columns<VolumeAttachment> = {
  definitions: [
    nameColumn,
    { ...text('Attacher', 'The driver that attaches the volume.'), format: 'name' },
    text('PV', 'The volume.'),
    text('Node', 'The node that it is attached to.'),
    boolean('Attached', 'Whether it is attached.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    nameOf(object),
    object.spec?.attacher ?? '',
    object.spec?.source?.persistentVolumeName ?? '',
    object.spec?.nodeName ?? '',
    object.status?.attached ?? false,
    ageOf(object, nowMs),
  ],
}

import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { PersistentVolume } from '../../../types.ts'
import { accessModes, storageClassOf } from '../persistent-volume-claim/columns.ts'

export const persistentVolumeColumns: Columns<PersistentVolume> = {
  definitions: [
    nameColumn,
    text('Capacity', 'How much it holds.'),
    text('Access Modes', 'Who may write, and from where.'),
    text('Reclaim Policy', 'What becomes of it when its claim goes.'),
    text('Status', 'Whether it is claimed.'),
    text('Claim', 'The claim that it is bound to.'),
    text('StorageClass', 'The class that it belongs to.'),
    text('VolumeAttributesClass', 'The class of its attributes.'),
    text('Reason', 'Why it is in this status.'),
    ageColumn,
    text('VolumeMode', 'A file system or a block device.', 1),
  ],
  cells: (volume, nowMs) => [
    nameOf(volume),
    volume.spec?.capacity?.['storage'] ?? '0',
    accessModes(volume.spec?.accessModes),
    volume.spec?.persistentVolumeReclaimPolicy ?? '',
    volume.metadata?.deletionTimestamp !== undefined ? 'Terminating' : (volume.status?.phase ?? ''),
    volume.spec?.claimRef ? `${volume.spec.claimRef.namespace ?? ''}/${volume.spec.claimRef.name ?? ''}` : '',
    storageClassOf(volume),
    volume.spec?.volumeAttributesClassName ?? '<unset>',
    volume.status?.reason ?? '',
    ageOf(volume, nowMs),
    volume.spec?.volumeMode ?? '<unset>',
  ],
}

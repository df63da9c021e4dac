import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { PersistentVolume, PersistentVolumeClaim } from '../../../types.ts'
import { classAnnotation } from '../../storage/storage-class/class-annotation.ts'

const modeLetters: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

/** `RWO,ROX`, in a fixed order, each once. */
export const accessModes = (modes: readonly string[] | undefined) =>
  Object.keys(modeLetters)
    .filter((mode) => modes?.includes(mode))
    .map((mode) => modeLetters[mode])
    .join(',')

export const storageClassOf = (object: PersistentVolume | PersistentVolumeClaim) =>
  object.metadata?.annotations?.[classAnnotation] ?? object.spec?.storageClassName ?? ''

export const persistentVolumeClaimColumns: Columns<PersistentVolumeClaim> = {
  definitions: [
    nameColumn,
    text('Status', 'Whether it is bound to a volume.'),
    text('Volume', 'The volume that it is bound to.'),
    text('Capacity', 'How much that volume holds.'),
    text('Access Modes', 'Who may write, and from where.'),
    text('StorageClass', 'The class that it asks for.'),
    text('VolumeAttributesClass', 'The class of attributes that it asks for.'),
    ageColumn,
    text('VolumeMode', 'A file system or a block device.', 1),
  ],
  cells(claim, nowMs) {
    const bound = (claim.spec?.volumeName ?? '') !== ''
    return [
      nameOf(claim),
      claim.metadata?.deletionTimestamp !== undefined ? 'Terminating' : (claim.status?.phase ?? ''),
      claim.spec?.volumeName ?? '',
      bound ? (claim.status?.capacity?.['storage'] ?? '0') : '',
      bound ? accessModes(claim.status?.accessModes) : '',
      storageClassOf(claim),
      claim.spec?.volumeAttributesClassName ?? '<unset>',
      ageOf(claim, nowMs),
      claim.spec?.volumeMode ?? '<unset>',
    ]
  },
}

// Kubernetes: pkg/printers/internalversion.printPersistentVolumeClaim
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
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

type Storage = PersistentVolume | PersistentVolumeClaim

export const volumePhase = ({ metadata, status }: Storage) =>
  metadata?.deletionTimestamp !== undefined ? 'Terminating' : (status?.phase ?? '')

export const attributesColumn = (description: string) =>
  text<Storage>('VolumeAttributesClass', description, ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>')

export const volumeModeColumn = text<Storage>(
  'VolumeMode',
  'A file system or a block device.',
  ({ spec }) => spec?.volumeMode ?? '<unset>',
  1,
)

export const storageClassOf = (object: Storage) => object.metadata?.annotations?.[classAnnotation] ?? object.spec?.storageClassName ?? ''

const isBound = ({ spec }: PersistentVolumeClaim) => (spec?.volumeName ?? '') !== ''

export const persistentVolumeClaimColumns = columnsOf<PersistentVolumeClaim>([
  nameColumn,
  text('Status', 'Whether it is bound to a volume.', volumePhase),
  text('Volume', 'The volume that it is bound to.', ({ spec }) => spec?.volumeName ?? ''),
  text('Capacity', 'How much that volume holds.', (claim) => (isBound(claim) ? (claim.status?.capacity?.['storage'] ?? '0') : '')),
  text('Access Modes', 'Who may write, and from where.', (claim) => (isBound(claim) ? accessModes(claim.status?.accessModes) : '')),
  text('StorageClass', 'The class that it asks for.', storageClassOf),
  attributesColumn('The class of attributes that it asks for.'),
  ageColumn,
  volumeModeColumn,
])

// Kubernetes: pkg/printers/internalversion.printPersistentVolume
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PersistentVolume } from '../../../types.ts'
import { accessModes, attributesColumn, storageClassOf, volumeModeColumn, volumePhase } from '../persistent-volume-claim/columns.ts'
import { persistentVolumeStrategy } from './strategy.ts'

export const persistentVolumes: Kind<PersistentVolume> = {
  ...resource('core.PersistentVolume'),
  strategy: persistentVolumeStrategy,
  columns: columnsOf([
    nameColumn,
    text('Capacity', 'How much it holds.', ({ spec }) => spec?.capacity?.['storage'] ?? '0'),
    text('Access Modes', 'Who may write, and from where.', ({ spec }) => accessModes(spec?.accessModes)),
    text('Reclaim Policy', 'What becomes of it when its claim goes.', ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? ''),
    text('Status', 'Whether it is claimed.', volumePhase),
    text('Claim', 'The claim that it is bound to.', claimCell),
    text('StorageClass', 'The class that it belongs to.', storageClassOf),
    attributesColumn('The class of its attributes.'),
    text('Reason', 'Why it is in this status.', ({ status }) => status?.reason ?? ''),
    ageColumn,
    volumeModeColumn,
  ]),
  returnsDeletedObject: true,
  protectionFinalizer: 'kubernetes.io/pv-protection',
}

function claimCell({ spec }: PersistentVolume): string {
  return spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : ''
}

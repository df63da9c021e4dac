// What `kubectl get` shows of volumes, claims and storage classes.

import { ageColumn, ageOf, nameColumn, nameOf, text } from '../machinery/columns/cells.ts'
import type { Columns } from '../machinery/kind.ts'
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../types.ts'

const modeLetters: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

/** `RWO,ROX`, in a fixed order, each once. */
const accessModes = (modes: readonly string[] | undefined) =>
  Object.keys(modeLetters)
    .filter((mode) => modes?.includes(mode))
    .map((mode) => modeLetters[mode])
    .join(',')

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'
const defaultClassAnnotations = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']

const storageClassOf = (object: PersistentVolume | PersistentVolumeClaim) =>
  object.metadata?.annotations?.[classAnnotation] ?? object.spec?.storageClassName ?? ''

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

export const storageClassColumns: Columns<StorageClass> = {
  definitions: [
    nameColumn,
    text('Provisioner', 'What makes its volumes.'),
    text('ReclaimPolicy', 'What becomes of a volume when its claim goes.'),
    text('VolumeBindingMode', 'When a claim is bound.'),
    text('AllowVolumeExpansion', 'Whether claims may grow.'),
    ageColumn,
  ],
  cells: (storageClass, nowMs) => [
    defaultClassAnnotations.some((name) => storageClass.metadata?.annotations?.[name] === 'true')
      ? `${nameOf(storageClass)} (default)`
      : nameOf(storageClass),
    storageClass.provisioner ?? '',
    storageClass.reclaimPolicy ?? 'Delete',
    storageClass.volumeBindingMode ?? 'Immediate',
    storageClass.allowVolumeExpansion ?? false,
    ageOf(storageClass, nowMs),
  ],
}

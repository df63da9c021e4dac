// Volumes, claims and their classes.

import { fill, fillObject } from '../machinery/fields.ts'
import type { PersistentVolume, PersistentVolumeClaim, StorageClass, Writable } from '../types.ts'
import { roundResources } from './resources.ts'

type ClaimSpec = NonNullable<Writable<PersistentVolumeClaim>['spec']>

export function defaultClaimSpec(spec: ClaimSpec | undefined | null): ClaimSpec {
  roundResources(spec?.resources?.limits)
  roundResources(spec?.resources?.requests)
  return fill('core.PersistentVolumeClaimSpec', spec, { resources: {}, volumeMode: 'Filesystem' })
}

export function defaultPersistentVolumeClaim(claim: Writable<PersistentVolumeClaim>): void {
  claim.spec = defaultClaimSpec(claim.spec)
  roundResources(claim.status?.capacity)
  roundResources(claim.status?.allocatedResources)
  claim.status = fill('core.PersistentVolumeClaimStatus', claim.status, { phase: 'Pending' })
}

export function defaultPersistentVolume(volume: Writable<PersistentVolume>): void {
  const spec = volume.spec ?? {}
  roundResources(spec.capacity)
  if (spec.hostPath) spec.hostPath = fill('core.HostPathVolumeSource', spec.hostPath, { type: '' })
  if (spec.iscsi) spec.iscsi = fill('core.ISCSIPersistentVolumeSource', spec.iscsi, { iscsiInterface: 'default' })
  if (spec.rbd) spec.rbd = fill('core.RBDPersistentVolumeSource', spec.rbd, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' })
  if (spec.azureDisk)
    spec.azureDisk = fill('core.AzureDiskVolumeSource', spec.azureDisk, {
      cachingMode: 'ReadWrite',
      fsType: 'ext4',
      readOnly: false,
      kind: 'Shared',
    })
  if (spec.scaleIO)
    spec.scaleIO = fill('core.ScaleIOPersistentVolumeSource', spec.scaleIO, { storageMode: 'ThinProvisioned', fsType: 'xfs' })
  volume.spec = fill('core.PersistentVolumeSpec', spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' })
  volume.status = fill('core.PersistentVolumeStatus', volume.status, { phase: 'Pending' })
}

export function defaultStorageClass(storageClass: Writable<StorageClass>): void {
  fillObject('storage.StorageClass', storageClass, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })
}

import { fill } from '../../../machinery/fields.ts'
import { roundResources } from '../../../machinery/resource-rounding.ts'
import type { PersistentVolume, Writable } from '../../../types.ts'

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

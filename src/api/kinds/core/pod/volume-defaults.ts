// Defaults of volume sources.
// Kubernetes: pkg/apis/core/v1.SetDefaults_Volume, SetDefaults_SecretVolumeSource, SetDefaults_ConfigMapVolumeSource
// Kubernetes: pkg/apis/core/v1.SetDefaults_DownwardAPIVolumeSource, SetDefaults_ProjectedVolumeSource
// Kubernetes: pkg/apis/core/v1.SetDefaults_ServiceAccountTokenProjection, SetDefaults_HostPathVolumeSource
import { fill } from '../../../machinery/fields.ts'
import type { Volume, Writable } from '../../../types.ts'
import { defaultClaimSpec } from '../persistent-volume-claim/defaults.ts'
import { defaultPullPolicy } from './image-pull-policy.ts'

type WritableVolume = Writable<Volume>
type DownwardFiles = NonNullable<NonNullable<WritableVolume['downwardAPI']>['items']>

// 0644
const fileMode = 420
const tokenLifetimeSeconds = 3600

export function defaultVolume(volume: WritableVolume): WritableVolume {
  let source = false
  for (const name in volume)
    if (name !== 'name') {
      source = true
      defaultSource(volume, name as keyof WritableVolume)
    }
  return source ? volume : fill('core.Volume', volume, { emptyDir: {} })
}

function defaultSource(volume: WritableVolume, name: keyof WritableVolume): void {
  switch (name) {
    case 'hostPath':
      volume.hostPath = fill('core.HostPathVolumeSource', volume.hostPath, { type: '' })
      break
    case 'secret':
      volume.secret = fill('core.SecretVolumeSource', volume.secret, { defaultMode: fileMode })
      break
    case 'configMap':
      volume.configMap = fill('core.ConfigMapVolumeSource', volume.configMap, { defaultMode: fileMode })
      break
    case 'downwardAPI':
      volume.downwardAPI = fill('core.DownwardAPIVolumeSource', volume.downwardAPI, { defaultMode: fileMode })
      defaultDownwardFiles(volume.downwardAPI.items)
      break
    case 'projected':
      defaultProjected(volume)
      break
    case 'iscsi':
      volume.iscsi = fill('core.ISCSIVolumeSource', volume.iscsi, { iscsiInterface: 'default' })
      break
    case 'rbd':
      volume.rbd = fill('core.RBDVolumeSource', volume.rbd, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' })
      break
    case 'azureDisk':
      volume.azureDisk = fill('core.AzureDiskVolumeSource', volume.azureDisk, {
        cachingMode: 'ReadWrite',
        fsType: 'ext4',
        readOnly: false,
        kind: 'Shared',
      })
      break
    case 'scaleIO':
      volume.scaleIO = fill('core.ScaleIOVolumeSource', volume.scaleIO, { storageMode: 'ThinProvisioned', fsType: 'xfs' })
      break
    case 'image':
      volume.image = fill('core.ImageVolumeSource', volume.image, { pullPolicy: defaultPullPolicy(volume.image?.reference) })
      break
    case 'ephemeral': {
      const template = volume.ephemeral?.volumeClaimTemplate
      if (template) template.spec = defaultClaimSpec(template.spec)
    }
  }
}

function defaultProjected(volume: WritableVolume): void {
  volume.projected = fill('core.ProjectedVolumeSource', volume.projected, { defaultMode: fileMode })
  for (const source of volume.projected.sources ?? []) {
    defaultDownwardFiles(source.downwardAPI?.items)
    if (source.serviceAccountToken)
      source.serviceAccountToken = fill('core.ServiceAccountTokenProjection', source.serviceAccountToken, {
        expirationSeconds: tokenLifetimeSeconds,
      })
  }
}

function defaultDownwardFiles(items: DownwardFiles | undefined): void {
  for (const item of items ?? []) if (item.fieldRef) item.fieldRef = fill('core.ObjectFieldSelector', item.fieldRef, { apiVersion: 'v1' })
}

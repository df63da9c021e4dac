// Kubernetes: pkg/printers/internalversion.printPersistentVolume
// Kubernetes: pkg/registry/core/persistentvolume.persistentvolumeStrategy.*, persistentvolumeStatusStrategy.*
// Kubernetes: pkg/apis/core/v1.SetDefaults_PersistentVolume
import { formatTime } from '../../../../base/clock.ts'
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { fill, replaceFields } from '../../../machinery/fields.ts'
import { keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { roundResources } from '../../../machinery/resource-rounding.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PersistentVolume, Writable } from '../../../types.ts'
import { classAnnotation, useClassName } from '../../storage/storage-class/kind.ts'
import { nodeSelectorTermWarnings } from '../node/label-warnings.ts'
import { accessModes, attributesColumn, storageClassOf, volumeModeColumn, volumePhase } from '../persistent-volume-claim/kind.ts'
import { validatePersistentVolume, validatePersistentVolumeUpdate } from './validation.ts'

export const persistentVolumes: Kind<PersistentVolume> = {
  ...resource('core.PersistentVolume'),
  strategy: {
    default: defaultPersistentVolume,
    prepareForCreate(volume, { nowMs }) {
      volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(nowMs) }
    },
    prepareForUpdate: keepStatus,
    prepareForStatusUpdate(next, current, { nowMs }) {
      keepSpec(next, current)
      const { phase: before, lastPhaseTransitionTime: changedBefore } = current.status ?? {}
      const { phase, lastPhaseTransitionTime: changed } = next.status ?? {}
      const stamp =
        phase === before ? (changed ?? changedBefore) : changed === undefined || changed === changedBefore ? formatTime(nowMs) : changed
      next.status = replaceFields('core.PersistentVolumeStatus', next.status, { lastPhaseTransitionTime: stamp })
    },
    validate: validatePersistentVolume,
    metadata: { onUpdate: ['as new', 'as new'] },
    validateUpdate: validatePersistentVolumeUpdate,
    warnings: volumeWarnings,
  },
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

const removedPlugins: readonly (readonly [keyof NonNullable<PersistentVolume['spec']>, string, string])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
]

function volumeWarnings({ metadata, spec }: PersistentVolume): string[] {
  const warnings: string[] = []
  const options = 'volume.beta.kubernetes.io/mount-options'
  for (const [key, message] of [
    [classAnnotation, useClassName],
    [options, 'deprecated since v1.31; use "mountOptions" attribute instead'],
  ] as const)
    if (Object.hasOwn(metadata?.annotations ?? {}, key)) warnings.push(`metadata.annotations[${key}]: ${message}`)
  if (spec?.persistentVolumeReclaimPolicy === 'Recycle')
    warnings.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    )
  for (const [i, term] of (spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries())
    warnings.push(...nodeSelectorTermWarnings(term, false, `spec.nodeAffinity.required.nodeSelectorTerms[${i}]`))
  for (const [field, name, message] of removedPlugins) if (spec?.[field] !== undefined) warnings.push(`spec.${name}: ${message}`)
  return warnings
}

function defaultPersistentVolume(volume: Writable<PersistentVolume>): void {
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

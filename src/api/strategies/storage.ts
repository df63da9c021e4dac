// How volumes, claims and their classes are made fit to be stored.
import { formatTime } from '../../base/clock.ts'
import { defaultPersistentVolume, defaultPersistentVolumeClaim, defaultStorageClass } from '../defaults/storage.ts'
import { deprecatedNodeLabels, nodeSelectorTermWarnings } from '../kinds/core/node/label-warnings.ts'
import { validatePersistentVolume, validatePersistentVolumeUpdate } from '../kinds/core/persistent-volume/validation.ts'
import {
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimStatusUpdate,
  validatePersistentVolumeClaimUpdate,
} from '../kinds/core/persistent-volume-claim/validation.ts'
import { claimSpecWarnings } from '../kinds/core/pod/warnings.ts'
import { validateStorageClass, validateStorageClassUpdate } from '../kinds/storage/storage-class/validation.ts'
import { replaceFields } from '../machinery/fields.ts'
import { keepSpec, keepStatus } from '../machinery/kept-fields.ts'
import type { Strategy } from '../machinery/kind.ts'
import { andAsNew } from '../machinery/validation/metadata.ts'
import type { PersistentVolume, PersistentVolumeClaim, StorageClass, Writable } from '../types.ts'

type ClaimSpec = NonNullable<Writable<PersistentVolumeClaim>['spec']>

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'
const useClassName = 'deprecated since v1.8; use "storageClassName" attribute instead'

export const persistentVolumeClaimStrategy: Strategy<PersistentVolumeClaim> = {
  names: 'dns-subdomain',
  default: defaultPersistentVolumeClaim,
  prepareForCreate(claim) {
    claim.status = { phase: 'Pending' }
    claim.spec = normalizeDataSources(claim.spec!, undefined)
  },
  prepareForUpdate(next, current) {
    keepStatus(next, current)
    next.spec = normalizeDataSources(next.spec!, current.spec as ClaimSpec | undefined)
  },
  prepareForStatusUpdate: keepSpec,
  validate: validatePersistentVolumeClaim,
  validateUpdate: andAsNew('namespaced', 'dns-subdomain', validatePersistentVolumeClaimUpdate),
  validateStatusUpdate: validatePersistentVolumeClaimStatusUpdate,
  warnings: ({ metadata, spec }) => [
    ...(Object.hasOwn(metadata?.annotations ?? {}, classAnnotation) ? [`metadata.annotations[${classAnnotation}]: ${useClassName}`] : []),
    ...claimSpecWarnings('spec', spec),
  ],
}

/**
 * dataSource and dataSourceRef say the same, each filled in from the other. A dataSource that is neither a claim nor a
 * snapshot was always ignored, and still is where no dataSourceRef stands beside it.
 */
function normalizeDataSources(spec: ClaimSpec, current: ClaimSpec | undefined): ClaimSpec {
  let { dataSource, dataSourceRef } = spec
  if (!dataSource && !dataSourceRef) return spec
  if (!current?.dataSource && !dataSourceRef && !isClaimOrSnapshot(dataSource)) dataSource = undefined
  if (dataSource && !dataSourceRef) {
    dataSourceRef = { apiGroup: dataSource.apiGroup ?? nothing, kind: dataSource.kind, name: dataSource.name }
  } else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) {
    dataSource = { apiGroup: dataSourceRef.apiGroup ?? nothing, kind: dataSourceRef.kind, name: dataSourceRef.name }
  }
  return replaceFields('core.PersistentVolumeClaimSpec', spec, { dataSource, dataSourceRef })
}

// Written even when there is none.
const nothing = null as unknown as string

function isClaimOrSnapshot(source: ClaimSpec['dataSource']): boolean {
  if (source?.kind === 'PersistentVolumeClaim') return !source.apiGroup
  return source?.kind === 'VolumeSnapshot' && source.apiGroup === 'snapshot.storage.k8s.io'
}

export const persistentVolumeStrategy: Strategy<PersistentVolume> = {
  names: 'dns-subdomain',
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
  validateUpdate: andAsNew('cluster', 'dns-subdomain', validatePersistentVolumeUpdate),
  warnings: volumeWarnings,
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

export const storageClassStrategy: Strategy<StorageClass> = {
  names: 'dns-subdomain',
  default: defaultStorageClass,
  validate: validateStorageClass,
  validateUpdate: andAsNew('cluster', 'dns-subdomain', validateStorageClassUpdate),
  warnings: ({ allowedTopologies }) =>
    (allowedTopologies ?? []).flatMap(({ matchLabelExpressions }, i) =>
      (matchLabelExpressions ?? []).flatMap(({ key }, j) => {
        const message = deprecatedNodeLabels.get(key)
        return message === undefined ? [] : [`allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${message}`]
      }),
    ),
}

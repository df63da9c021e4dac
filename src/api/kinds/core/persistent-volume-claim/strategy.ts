// Kubernetes: pkg/registry/core/persistentvolumeclaim.persistentvolumeclaimStrategy.*, persistentvolumeclaimStatusStrategy.*
import { replaceFields } from '../../../machinery/fields.ts'
import { keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { PersistentVolumeClaim, Writable } from '../../../types.ts'
import { classAnnotation, useClassName } from '../../storage/storage-class/class-annotation.ts'
import { claimSpecWarnings } from '../pod/warnings.ts'
import { defaultPersistentVolumeClaim } from './defaults.ts'
import {
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimStatusUpdate,
  validatePersistentVolumeClaimUpdate,
} from './validation.ts'

type ClaimSpec = NonNullable<Writable<PersistentVolumeClaim>['spec']>

export const persistentVolumeClaimStrategy: Strategy<PersistentVolumeClaim> = {
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
  metadata: { onUpdate: ['changes', 'as new'] },
  validateUpdate: validatePersistentVolumeClaimUpdate,
  validateStatusUpdate: validatePersistentVolumeClaimStatusUpdate,
  warnings: ({ metadata, spec }) => [
    ...(Object.hasOwn(metadata?.annotations ?? {}, classAnnotation) ? [`metadata.annotations[${classAnnotation}]: ${useClassName}`] : []),
    ...claimSpecWarnings('spec', spec),
  ],
}

/**
 * dataSource and dataSourceRef are kept equal: each is filled in from the other. A dataSource that is neither a claim nor a
 * snapshot is ignored when there is no dataSourceRef.
 */
function normalizeDataSources(spec: ClaimSpec, current: ClaimSpec | undefined): ClaimSpec {
  let { dataSource, dataSourceRef } = spec
  // Sources in other namespaces are an alpha feature, and off: a new claim loses them.
  if (!current?.dataSourceRef && dataSourceRef?.namespace) dataSourceRef = undefined
  if (!dataSource && !dataSourceRef && !spec.dataSourceRef) return spec
  if (!current?.dataSource && !dataSourceRef && !isClaimOrSnapshot(dataSource)) dataSource = undefined
  if (dataSource && !dataSourceRef) {
    dataSourceRef = { apiGroup: dataSource.apiGroup ?? nothing, kind: dataSource.kind, name: dataSource.name }
  } else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) {
    dataSource = { apiGroup: dataSourceRef.apiGroup ?? nothing, kind: dataSourceRef.kind, name: dataSourceRef.name }
  }
  return replaceFields('core.PersistentVolumeClaimSpec', spec, { dataSource, dataSourceRef })
}

// Set even if it is empty.
const nothing = null as unknown as string

function isClaimOrSnapshot(source: ClaimSpec['dataSource']): boolean {
  if (source?.kind === 'PersistentVolumeClaim') return !source.apiGroup
  return source?.kind === 'VolumeSnapshot' && source.apiGroup === 'snapshot.storage.k8s.io'
}

// Kubernetes: pkg/registry/core/persistentvolumeclaim/storage.NewREST
// Kubernetes: pkg/registry/core/persistentvolumeclaim.persistentvolumeclaimStrategy.*, persistentvolumeclaimStatusStrategy.*
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { explicitNull, replaceFields } from '../../../machinery/fields.ts'
import { keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PersistentVolume, PersistentVolumeClaim, Writable } from '../../../types.ts'
import { classAnnotation, useClassName } from '../../storage/storage-class/kind.ts'
import { claimSpecWarnings } from '../pod/warnings.ts'
import { defaultPersistentVolumeClaim } from './defaults.ts'
import {
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimStatusUpdate,
  validatePersistentVolumeClaimUpdate,
} from './validation.ts'

// Kubernetes: pkg/printers/internalversion.printPersistentVolumeClaim
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

export const persistentVolumeClaims: Kind<PersistentVolumeClaim> = {
  ...resource('core.PersistentVolumeClaim'),
  strategy: {
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
  },
  columns: columnsOf<PersistentVolumeClaim>([
    nameColumn,
    text('Status', 'Whether it is bound to a volume.', volumePhase),
    text('Volume', 'The volume that it is bound to.', ({ spec }) => spec?.volumeName ?? ''),
    text('Capacity', 'How much that volume holds.', (claim) => (isBound(claim) ? (claim.status?.capacity?.['storage'] ?? '0') : '')),
    text('Access Modes', 'Who may write, and from where.', (claim) => (isBound(claim) ? accessModes(claim.status?.accessModes) : '')),
    text('StorageClass', 'The class that it asks for.', storageClassOf),
    attributesColumn('The class of attributes that it asks for.'),
    ageColumn,
    volumeModeColumn,
  ]),
  returnsDeletedObject: true,
  protectionFinalizer: 'kubernetes.io/pvc-protection',
}

type ClaimSpec = NonNullable<Writable<PersistentVolumeClaim>['spec']>

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
    dataSourceRef = { apiGroup: dataSource.apiGroup ?? explicitNull, kind: dataSource.kind, name: dataSource.name }
  } else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) {
    dataSource = { apiGroup: dataSourceRef.apiGroup ?? explicitNull, kind: dataSourceRef.kind, name: dataSourceRef.name }
  }
  return replaceFields('core.PersistentVolumeClaimSpec', spec, { dataSource, dataSourceRef })
}

function isClaimOrSnapshot(source: ClaimSpec['dataSource']): boolean {
  if (source?.kind === 'PersistentVolumeClaim') return !source.apiGroup
  return source?.kind === 'VolumeSnapshot' && source.apiGroup === 'snapshot.storage.k8s.io'
}

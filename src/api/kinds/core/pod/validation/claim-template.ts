// The claim template of an ephemeral volume.
// Kubernetes: pkg/apis/core/validation.ValidatePersistentVolumeClaimTemplate, ValidatePersistentVolumeClaimSpec, validateDataSource
// Kubernetes: pkg/apis/core/validation.validateDataSourceRef
import { formatQuantity } from '../../../../../base/quantity.ts'
import { type FieldError, forbidden, invalid, notSupported, required, shownAs, typed } from '../../../../machinery/field-error.ts'
import { addUnsupported } from '../../../../machinery/validation/enums.ts'
import { validateAnnotations, validateLabelSelector, validateLabels } from '../../../../machinery/validation/metadata.ts'
import { isDns1123Label, isDns1123Subdomain } from '../../../../machinery/validation/names.ts'
import { quantityOf } from '../../../../machinery/validation/resources.ts'
import type { PersistentVolumeClaim, Volume } from '../../../../types.ts'
import { addProblems } from './names.ts'

type ClaimTemplate = NonNullable<NonNullable<Volume['ephemeral']>['volumeClaimTemplate']>
type ClaimSpec = NonNullable<PersistentVolumeClaim['spec']>

const metadataOrder = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
]
const shownFields: Readonly<Record<string, string>> = { uid: 'uID' }

/** The metadata of a template may only have labels and annotations. */
export function checkClaimTemplate(errors: FieldError[], { metadata, spec }: ClaimTemplate, path: string): void {
  errors.push(...validateAnnotations(metadata?.annotations, `${path}.metadata.annotations`))
  errors.push(...validateLabels(metadata?.labels, `${path}.metadata.labels`))
  for (const field of metadataOrder) {
    const value = (metadata as Readonly<Record<string, unknown>> | undefined)?.[field]
    if (value) errors.push(forbidden(`${path}.metadata.${shownFields[field] ?? field}`, 'cannot be set'))
  }
  errors.push(...validateClaimSpec((spec ?? {}) as ClaimSpec, `${path}.spec`))
}

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

/** The spec of a claim at its creation. */
export function validateClaimSpec(spec: ClaimSpec, path: string): FieldError[] {
  const errors: FieldError[] = []
  const modes = spec.accessModes ?? []
  if (modes.length === 0) errors.push(required(`${path}.accessModes`, 'at least 1 access mode is required'))
  errors.push(...validateLabelSelector(spec.selector, `${path}.selector`))
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported(`${path}.accessModes`, typed(mode), accessModes))
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode)))
    errors.push(forbidden(`${path}.accessModes`, 'may not use ReadWriteOncePod with other access modes'))
  const requests = spec.resources?.requests
  if (!requests || !Object.hasOwn(requests, 'storage')) errors.push(required(`${path}.resources[storage]`, ''))
  else {
    const storage = quantityOf(requests['storage']!)
    if (storage.nano <= 0n) errors.push(invalid(`${path}.resources[storage]`, formatQuantity(storage), 'must be greater than zero'))
  }
  if (spec.storageClassName)
    addProblems(errors, isDns1123Subdomain(spec.storageClassName), spec.storageClassName, () => `${path}.storageClassName`)
  const { volumeMode, dataSource, dataSourceRef, volumeAttributesClassName } = spec
  addUnsupported(errors, volumeMode, 'core.PersistentVolumeClaimSpec.volumeMode', `${path}.volumeMode`)
  if (dataSource) checkDataSource(errors, dataSource, `${path}.dataSource`)
  if (dataSourceRef) checkDataSource(errors, dataSourceRef, `${path}.dataSourceRef`)
  if (dataSourceRef?.namespace) {
    const { namespace } = dataSourceRef
    addProblems(errors, isDns1123Label(namespace), namespace, () => `${path}.dataSourceRef.namespace`)
    // Kubernetes puts a path where the value should be, and it is shown as an empty object.
    if (dataSource) errors.push(invalid(path, shownAs('{}'), 'may not be specified when dataSourceRef.namespace is specified'))
  } else if (dataSource && dataSourceRef && !isSameSource(dataSource, dataSourceRef))
    errors.push(invalid(path, shownAs('{}'), 'must match dataSourceRef'))
  if (volumeAttributesClassName)
    addProblems(errors, isDns1123Subdomain(volumeAttributesClassName), volumeAttributesClassName, () => `${path}.volumeAttributesClassName`)
  return errors
}

interface DataSource {
  readonly apiGroup?: string
  readonly kind: string
  readonly name: string
}

const isSameSource = (a: DataSource, b: DataSource) =>
  (a.apiGroup ?? undefined) === (b.apiGroup ?? undefined) && a.kind === b.kind && a.name === b.name

function checkDataSource(errors: FieldError[], { apiGroup, kind, name }: DataSource, path: string): void {
  if (!name) errors.push(required(`${path}.name`, ''))
  if (!kind) errors.push(required(`${path}.kind`, ''))
  if (!apiGroup && kind !== 'PersistentVolumeClaim')
    errors.push(invalid(path, kind ?? '', "must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
  if (apiGroup) addProblems(errors, isDns1123Subdomain(apiGroup), apiGroup, () => `${path}.apiGroup`)
}

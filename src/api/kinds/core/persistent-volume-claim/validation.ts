// PersistentVolumeClaims: the spec is immutable, but a bound claim may request more storage.
// Kubernetes: pkg/apis/core/validation.ValidatePersistentVolumeClaim, ValidatePersistentVolumeClaimUpdate
// Kubernetes: pkg/apis/core/validation.ValidatePersistentVolumeClaimStatusUpdate, ValidatePersistentVolumeClaimSpec
import { compareQuantities } from '../../../../base/quantity.ts'
import { type FieldError, forbidden, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import { isEqualStruct } from '../../../machinery/schema/equality.ts'
import { hasInvalidSelectorValue, immutableMessage } from '../../../machinery/validation/metadata.ts'
import { isQualifiedName } from '../../../machinery/validation/names.ts'
import { isNativeResource, quantityOf, validateResourceQuantity } from '../../../machinery/validation/resources.ts'
import type { PersistentVolumeClaim } from '../../../types.ts'
import { validateClaimSpec } from '../pod/validation/claim-template.ts'
import { diffOf } from '../pod/validation/equality.ts'

type ClaimSpec = NonNullable<PersistentVolumeClaim['spec']>

/** A claim's spec, also where it is a template. */
export const validatePersistentVolumeClaimSpec = (spec: ClaimSpec | undefined, path: string): FieldError[] =>
  validateClaimSpec(spec ?? {}, path)

export function validatePersistentVolumeClaim({ spec }: PersistentVolumeClaim): FieldError[] {
  return validatePersistentVolumeClaimSpec(spec, 'spec')
}

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'
const annotationOf = ({ metadata }: PersistentVolumeClaim) => metadata?.annotations?.[classAnnotation]

/** Kubernetes validates them at creation only. */
const groupsOfSources: ReadonlySet<string> = new Set(['spec.dataSource.apiGroup', 'spec.dataSourceRef.apiGroup'])

export function validatePersistentVolumeClaimUpdate(next: PersistentVolumeClaim, current: PersistentVolumeClaim): FieldError[] {
  const spec: ClaimSpec = next.spec ?? {}
  const old: ClaimSpec = current.spec ?? {}
  const isTolerated = hasInvalidSelectorValue(old.selector)
  const errors = validatePersistentVolumeClaimSpec(spec, 'spec').filter(
    ({ field }) =>
      !groupsOfSources.has(field) && !(isTolerated && field.startsWith('spec.selector.matchExpressions') && field.includes('.values[')),
  )
  const { before, after } = comparable(next, current, errors)
  if (!isEqualStruct('core.PersistentVolumeClaimSpec', after, before)) {
    const diff = diffOf('PersistentVolumeClaimSpec', before, after)
    errors.push(
      forbidden(
        'spec',
        `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${diff}`,
      ),
    )
  }
  const size = (amounts: Readonly<Record<string, string>> | undefined) => quantityOf(amounts?.['storage'] ?? '0')
  if (
    compareQuantities(size(spec.resources?.requests), size(old.resources?.requests)) < 0 &&
    compareQuantities(size(spec.resources?.requests), size(current.status?.capacity)) <= 0
  )
    errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'))
  if (spec.volumeMode !== old.volumeMode)
    errors.push(invalid('volumeMode', spec.volumeMode === undefined ? undefined : typed(spec.volumeMode), immutableMessage))
  addAttributesClassErrors(errors, spec, old, current.status?.currentVolumeAttributesClassName !== undefined)
  return errors
}

/** Both specs without the fields that may change. */
function comparable(
  next: PersistentVolumeClaim,
  current: PersistentVolumeClaim,
  errors: FieldError[],
): { readonly before: ClaimSpec; readonly after: ClaimSpec } {
  const spec: ClaimSpec = next.spec ?? {}
  const old: ClaimSpec = current.spec ?? {}
  const oldClass = annotationOf(current)
  const newClass = annotationOf(next)
  const before = old.volumeName ? old : { ...old, volumeName: spec.volumeName }
  let after: ClaimSpec = spec
  const gainsClass = old.storageClassName === undefined && spec.storageClassName !== undefined
  const followsAnnotation = gainsClass && oldClass !== undefined && spec.storageClassName === oldClass
  if (!(followsAnnotation && (newClass === undefined || newClass === oldClass)) && (newClass ?? '') !== (oldClass ?? ''))
    errors.push(invalid(`metadata.annotations[${classAnnotation}]`, newClass ?? '', immutableMessage))
  if (gainsClass && (oldClass === undefined || followsAnnotation)) {
    const { storageClassName: _storageClassName, ...rest } = after
    after = rest
  }
  if (next.status?.phase === 'Bound') {
    const { requests } = after.resources ?? {}
    const storage = old.resources?.requests?.['storage']
    if (requests !== undefined && storage !== undefined)
      after = { ...after, resources: { ...after.resources, requests: { ...requests, storage } } }
    after = { ...after, volumeAttributesClassName: old.volumeAttributesClassName } as ClaimSpec
  }
  return { before: before as ClaimSpec, after }
}

function addAttributesClassErrors(errors: FieldError[], spec: ClaimSpec, old: ClaimSpec, isApplied: boolean): void {
  if (!isApplied || spec.volumeAttributesClassName === old.volumeAttributesClassName || spec.volumeAttributesClassName) return
  const what = spec.volumeAttributesClassName === undefined ? 'nil' : 'empty string'
  errors.push(
    forbidden('spec.volumeAttributesClassName', `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`),
  )
}

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

export function validatePersistentVolumeClaimStatusUpdate(next: PersistentVolumeClaim): FieldError[] {
  const errors: FieldError[] = []
  // Kubernetes writes Spec with a capital here.
  if ((next.spec?.accessModes?.length ?? 0) === 0) errors.push(required('Spec.accessModes', ''))
  const { capacity = {}, allocatedResourceStatuses = {}, allocatedResources = {} } = next.status ?? {}
  for (const [name, quantity] of Object.entries(capacity)) addAmountErrors(errors, quantity, `status.capacity[${name}]`)
  for (const [name, status] of Object.entries(allocatedResourceStatuses)) {
    addKeyErrors(errors, name, 'status.allocatedResourceStatuses')
    if (!resizeStatuses.includes(status)) errors.push(notSupported('status.allocatedResourceStatuses', typed(name), resizeStatuses))
  }
  for (const [name, quantity] of Object.entries(allocatedResources)) {
    const count = errors.length
    addKeyErrors(errors, name, 'status.allocatedResources')
    if (errors.length > count) continue
    addAmountErrors(errors, quantity, `status.allocatedResources[${name}]`)
    if (errors.length === count) errors.push(...validateResourceQuantity('storage', quantity, `status.allocatedResources[${name}]`))
  }
  return errors
}

function addKeyErrors(errors: FieldError[], name: string, path: string): void {
  const messages = isQualifiedName(name)
  for (const message of messages) errors.push(invalid(path, name, message))
  if (messages.length === 0 && isNativeResource(name) && name !== 'storage') errors.push(notSupported(path, name, ['storage']))
}

/** The error for a negative amount, with Kubernetes' text for volumes. */
export function addAmountErrors(errors: FieldError[], text: string, path: string): void {
  const whole = quantityOf(text).nano / 1_000_000_000n
  if (whole < 0n) errors.push(invalid(path, Number(whole), 'must be a valid resource quantity'))
}

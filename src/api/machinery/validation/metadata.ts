// Validation of metadata, for all kinds. Kubernetes validates it more than once on an update, and its response then lists the same
// cause more than once; so does validateMetadataOnUpdate().
// Kubernetes: k8s.io/apimachinery/pkg/api/validation.ValidateObjectMetaAccessor, ValidateObjectMetaAccessorUpdate
// Kubernetes: k8s.io/apimachinery/pkg/api/validation.ValidateOwnerReferences, ValidateFinalizers, ValidateAnnotations
// Kubernetes: k8s.io/apimachinery/pkg/api/validation.ValidateNoNewFinalizers, ValidateImmutableField
import { isEqualJson } from '../../../base/json.ts'
import { type FieldError, forbidden, invalid, required, tooLong } from '../field-error.ts'
import type { MetadataCheck, NameRule } from '../kind.ts'
import type { LabelSelector, ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../types.ts'
import {
  byteLength,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isPathSegmentName,
  isQualifiedName,
  isValidLabelValue,
  notNegativeMessage,
} from './names.ts'

export const immutableMessage = 'field is immutable'
const annotationsLimitBytes = 262144

/** The messages about a name by the rule of its kind. With `prefix`, it is a generateName, whose suffix is not known yet. */
export function nameMessages(name: string, rule: NameRule, prefix = false): string[] {
  if (rule === 'path-segment' || rule === 'any') return isPathSegmentName(name, prefix)
  if (rule === 'long-name') return prefix ? isPathSegmentName(name, true) : longNameMessages(name)
  const masked = prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name
  if (rule === 'dns-subdomain') return isDns1123Subdomain(masked)
  return rule === 'dns-label' ? isDns1123Label(masked) : isDns1035Label(masked)
}

/** The messages of Kubernetes' declarative rule, which counts bytes. */
const longNameMessages = (name: string) =>
  isDns1123Subdomain(name).map((message) => message.replace(/^(must be no more than \d+) characters$/, '$1 bytes'))

const at = (path: string, field: string) => (path === '' ? field : `${path}.${field}`)

/**
 * An object's metadata at creation, after a name was generated. Finalizers without a `/` are accepted with `anyFinalizer`.
 */
export function validateObjectMeta(
  meta: ObjectMeta | undefined,
  namespaced: boolean,
  nameRule: NameRule = 'dns-subdomain',
  path = 'metadata',
  anyFinalizer = false,
): FieldError[] {
  const errors = validateGeneralMeta(meta ?? {}, namespaced, nameRule, path)
  if (!anyFinalizer) addFinalizerFormErrors(errors, meta?.finalizers, path)
  return errors
}

/** What the errors of an update depend on besides the metadata. */
interface MetadataOfKind {
  readonly namespaced: boolean
  readonly names?: NameRule | undefined
  readonly checks?: readonly MetadataCheck[] | undefined
  readonly anyFinalizer?: boolean
}

/**
 * The errors of metadata on an update, in the order of Kubernetes: the general rules, then the changes, then the checks on behalf of
 * the kind. Valid metadata is read only once.
 */
export function validateMetadataOnUpdate(
  next: ObjectMeta | undefined,
  current: ObjectMeta | undefined,
  { namespaced, names, checks = ['changes'], anyFinalizer = false }: MetadataOfKind,
): FieldError[] {
  const path = 'metadata'
  if (next !== undefined && current !== undefined && isUntouched(next, current)) {
    const ofOwners: FieldError[] = []
    if (next.managedFields) addManagedFieldsErrors(ofOwners, next.managedFields, at(path, 'managedFields'))
    // A write of the status may have stored one that other writes refuse.
    const isNameValid = !next.generateName || nameMessages(next.generateName, names ?? 'dns-subdomain', true).length === 0
    if (ofOwners.length === 0 && isNameValid) return ofOwners
  }
  const errors = validateGeneralMeta(next ?? {}, namespaced, 'path-segment', path)
  const changes = validateGeneralMetaUpdate(next ?? {}, current ?? {}, path)
  errors.push(...changes)
  for (const check of checks) {
    errors.push(...(check === 'changes' ? changes : validateGeneralMeta(next ?? {}, namespaced, names ?? 'dns-subdomain', path)))
    if (!anyFinalizer) addFinalizerFormErrors(errors, next?.finalizers, path)
  }
  return errors
}

const writtenByUsers = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
] as const

/** Whether nothing but managedFields differs from the stored metadata, which was validated when it was stored. */
function isUntouched(next: ObjectMeta, current: ObjectMeta): boolean {
  if (!next.resourceVersion) return false
  for (const field of writtenByUsers) if (next[field] !== current[field]) return false
  return true
}

function validateGeneralMeta(meta: ObjectMeta, namespaced: boolean, nameRule: NameRule, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (meta.generateName)
    for (const message of nameMessages(meta.generateName, nameRule, true))
      errors.push(invalid(at(path, 'generateName'), meta.generateName, message))
  if (!meta.name) errors.push(required(at(path, 'name'), 'name or generateName is required'))
  else for (const message of nameMessages(meta.name, nameRule)) errors.push(invalid(at(path, 'name'), meta.name, message))
  if (namespaced) {
    if (!meta.namespace) errors.push(required(at(path, 'namespace'), ''))
    else for (const message of isDns1123Label(meta.namespace)) errors.push(invalid(at(path, 'namespace'), meta.namespace, message))
  } else if (meta.namespace) errors.push(forbidden(at(path, 'namespace'), 'not allowed on this type'))
  if (meta.generation !== undefined && meta.generation < 0)
    errors.push(invalid(at(path, 'generation'), meta.generation, notNegativeMessage))
  addContentErrors(errors, meta, path, true)
  return errors
}

function validateGeneralMetaUpdate(next: ObjectMeta, current: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (current.deletionTimestamp && next.finalizers) {
    const known = new Set(current.finalizers)
    const added = [...new Set(next.finalizers.filter((one) => !known.has(one)))].sort()
    if (added.length > 0)
      errors.push(
        forbidden(
          at(path, 'finalizers'),
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((one) => JSON.stringify(one)).join(', ')}}`,
        ),
      )
  }
  if (!next.resourceVersion) errors.push(invalid(at(path, 'resourceVersion'), '', 'must be specified for an update'))
  if ((next.generation ?? 0) < (current.generation ?? 0))
    errors.push(invalid(at(path, 'generation'), next.generation ?? 0, 'must not be decremented'))
  for (const field of ['name', 'namespace', 'uid'] as const)
    if ((next[field] ?? '') !== (current[field] ?? '')) errors.push(invalid(at(path, field), next[field] ?? '', immutableMessage))
  for (const field of ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const)
    if ((next[field] ?? undefined) !== (current[field] ?? undefined))
      errors.push(invalid(at(path, field), next[field] ?? undefined, immutableMessage))
  addContentErrors(errors, next, path, false)
  return errors
}

function addContentErrors(errors: FieldError[], meta: ObjectMeta, path: string, withFinalizers: boolean): void {
  if (meta.labels) addLabelErrors(errors, meta.labels, at(path, 'labels'))
  if (meta.annotations) addAnnotationErrors(errors, meta.annotations, at(path, 'annotations'))
  if (meta.ownerReferences) addOwnerErrors(errors, meta.ownerReferences, at(path, 'ownerReferences'))
  if (withFinalizers && meta.finalizers) addFinalizerErrors(errors, meta.finalizers, at(path, 'finalizers'))
  if (meta.managedFields) addManagedFieldsErrors(errors, meta.managedFields, at(path, 'managedFields'))
}

type Texts = Readonly<Record<string, string>>

export function validateLabels(labels: Texts | undefined, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (labels) addLabelErrors(errors, labels, path)
  return errors
}

const copies = new WeakSet<object>()

/** Labels that an object has from a part of itself: errors name that part. */
export function judgedElsewhere<T extends Texts>(labels: T): T {
  copies.add(labels)
  return labels
}

function addLabelErrors(errors: FieldError[], labels: Texts, path: string): void {
  const before = errors.length
  for (const key of Object.keys(labels)) {
    const value = labels[key] ?? ''
    for (const message of isQualifiedName(key)) errors.push(invalid(path, key, message))
    for (const message of isValidLabelValue(value)) errors.push(invalid(path, value, message))
  }
  if (errors.length > before && copies.has(labels)) errors.length = before
}

export function validateAnnotations(annotations: Texts | undefined, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (annotations) addAnnotationErrors(errors, annotations, path)
  return errors
}

function addAnnotationErrors(errors: FieldError[], annotations: Texts, path: string): void {
  let atMost = 0
  const keys = Object.keys(annotations)
  for (const key of keys) {
    // The case of a key does not matter, only its form.
    for (const message of isQualifiedName(key.toLowerCase())) errors.push(invalid(path, key, message))
    atMost += 3 * (key.length + (annotations[key]?.length ?? 0))
  }
  if (atMost <= annotationsLimitBytes) return
  let bytes = 0
  for (const key of keys) bytes += byteLength(key) + byteLength(annotations[key] ?? '')
  if (bytes > annotationsLimitBytes) errors.push(tooLong(path, annotationsLimitBytes))
}

function addOwnerErrors(errors: FieldError[], owners: readonly OwnerReference[], path: string): void {
  let controller = ''
  for (const [index, owner] of owners.entries()) {
    const here = `${path}[${index}]`
    const { apiVersion = '' } = owner
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
    if (apiVersion !== '' && (version === '' || version.includes('/')))
      errors.push(invalid(at(here, 'apiVersion'), apiVersion, 'must be <group>/<version> or <version>'))
    for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const)
      if (!owner[field]) errors.push(required(at(here, field), 'must not be empty'))
    if (apiVersion === 'v1' && owner.kind === 'Event')
      errors.push(invalid(here, owner, '/v1, Kind=Event is disallowed from being an owner'))
    if (owner.controller !== true) continue
    const name = `${owner.kind}/${owner.name}`
    if (controller === '') controller = name
    else
      errors.push(
        invalid(
          path,
          owners,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`,
        ),
      )
  }
}

function addFinalizerErrors(errors: FieldError[], finalizers: readonly string[], path: string): void {
  for (const finalizer of finalizers) for (const message of isQualifiedName(finalizer)) errors.push(invalid(path, finalizer, message))
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion'))
    errors.push(invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'))
}

const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

export function finalizerFormMessages(finalizer: string): string[] {
  if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return []
  return ['name is neither a standard finalizer name nor is it fully qualified']
}

function addFinalizerFormErrors(errors: FieldError[], finalizers: readonly string[] | undefined, path: string): void {
  if (finalizers === undefined) return
  for (const [index, finalizer] of finalizers.entries())
    for (const message of finalizerFormMessages(finalizer)) errors.push(invalid(`${at(path, 'finalizers')}[${index}]`, finalizer, message))
}

/** The name of a field manager, in a request or in an entry of managedFields. */
export function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (/^[ -~]{0,128}$/.test(manager)) return errors
  if (byteLength(manager) > 128) errors.push(tooLong(path, 128))
  let position = 0
  for (const character of manager) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) {
      const code = character.codePointAt(0) ?? 0
      const hex = code.toString(16).toUpperCase().padStart(4, '0')
      errors.push(invalid(path, manager, `invalid character U+${hex} (at position ${position})`))
    }
    position += byteLength(character)
  }
  return errors
}

function addManagedFieldsErrors(errors: FieldError[], entries: readonly ManagedFieldsEntry[], path: string): void {
  for (const [index, entry] of entries.entries()) {
    if (entry.operation !== 'Apply' && entry.operation !== 'Update')
      errors.push(invalid(`${path}[${index}].operation`, entry.operation ?? '', 'must be `Apply` or `Update`'))
    if (entry.fieldsType && entry.fieldsType !== 'FieldsV1')
      errors.push(invalid(`${path}[${index}].fieldsType`, entry.fieldsType, 'must be `FieldsV1`'))
    if (entry.manager) errors.push(...validateFieldManager(entry.manager, `${path}[${index}].manager`))
    if (entry.subresource && byteLength(entry.subresource) > 256) errors.push(tooLong(`${path}[${index}].subresource`, 256))
  }
}

interface LabelSelectorOptions {
  /** Values that are no label values pass: only for objects that were stored with them. */
  readonly allowInvalidValues?: boolean
}

/** A selector in a spec. A missing one is valid: the rules of the kind decide whether it is required. */
export function validateLabelSelector(
  selector: LabelSelector | undefined,
  path: string,
  { allowInvalidValues = false }: LabelSelectorOptions = {},
): FieldError[] {
  const errors: FieldError[] = []
  if (!selector) return errors
  if (selector.matchLabels) addLabelErrors(errors, selector.matchLabels, at(path, 'matchLabels'))
  for (const [index, { key, operator, values = [] }] of (selector.matchExpressions ?? []).entries()) {
    const here = `${at(path, 'matchExpressions')}[${index}]`
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) errors.push(required(`${here}.values`, "must be specified when `operator` is 'In' or 'NotIn'"))
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) errors.push(forbidden(`${here}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
    } else errors.push(invalid(`${here}.operator`, operator ?? '', 'not a valid selector operator'))
    for (const message of isQualifiedName(key ?? '')) errors.push(invalid(`${here}.key`, key ?? '', message))
    if (!allowInvalidValues)
      for (const [valueIndex, value] of values.entries())
        for (const message of isValidLabelValue(value)) errors.push(invalid(`${here}.values[${valueIndex}]`, value, message))
  }
  return errors
}

/** True when a stored selector has values that today's rule would refuse: an update must then let them pass. */
export function hasInvalidSelectorValue(selector: LabelSelector | undefined): boolean {
  return (selector?.matchExpressions ?? []).some(({ values }) => values?.some((value) => isValidLabelValue(value).length > 0))
}

/** An error if an unstructured field has changed. */
export function validateImmutable(next: unknown, current: unknown, path: string): FieldError[] {
  return isEqualJson(next, current) ? [] : [invalid(path, next, immutableMessage)]
}

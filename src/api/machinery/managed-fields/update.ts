// Ownership after an ordinary create, update or patch: the writer owns the fields that changed, and all other managers lose them.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/merge.Updater.Update, Updater.update
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.structuredMergeManager.Update, FieldManager.Update
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.skipNonAppliedManager.Update
import { isEqualJson } from '../../../base/json.ts'
import { KnownSpecs } from '../known-specs.ts'
import type { KubernetesObject, ManagedFieldsEntry } from '../types.ts'
import { compareObjects, withoutFields } from './compare.ts'
import { emptySet, type FieldSet, isEmptySet, union } from './field-set.ts'
import {
  decodeOwners,
  isReset,
  isSameOwner,
  mergeOldestUpdaters,
  newOwner,
  noOwners,
  type Owner,
  ownersOfStored,
  setOf,
  sortOwners,
  withoutLost,
} from './managers.ts'
import { withoutUnowned } from './of-object.ts'
import { type ResetFields, resetFieldsOf } from './reset-fields.ts'

interface TrackedUpdate {
  readonly typeName: string
  /** The stored object; undefined at creation. */
  readonly old: KubernetesObject | undefined
  /** The object that will be stored, whatever its managedFields. */
  readonly next: KubernetesObject
  readonly manager: string
  readonly apiVersion: string
  /** `status`, `scale`, …; '' or undefined for the object's own endpoint. */
  readonly subresource?: string | undefined
  /** RFC 3339, in seconds. */
  readonly now: string
  /** As in the Strategy of the kind. */
  readonly resetFields?: ResetFields | undefined
}

/**
 * The managedFields to store with `next`; undefined for none. When no manager's fields changed they are the very entries of
 * `old`, with their times, so that a write that changes nothing can be recognised. Entries that stay are shared.
 */
export function trackUpdate({ typeName, old, next, manager, apiVersion, subresource = '', now, resetFields }: TrackedUpdate) {
  const owners = ownersBefore(old, next, subresource)
  // An object that has lost its owners is not tracked again until it is applied.
  if (owners.length === 0 && old !== undefined) return undefined
  const {
    written,
    owned: mine,
    removed,
  } = old === undefined && subresource === ''
    ? creationOf(typeName, next, resetFields)
    : changeOf(typeName, old ?? {}, next, resetFieldsOf(subresource, resetFields))
  const name = { manager: manager === '' ? 'unknown' : manager, operation: 'Update', apiVersion, subresource } as const
  // The writer keeps what it writes: most writes change only the values of fields that their writer owns already.
  const remaining = withoutLost(owners, written, removed, (owner) => mine === written && isSameOwner(owner, name))
  if (!isEmptySet(mine)) {
    const at = remaining.findIndex((owner) => isSameOwner(owner, name))
    if (at < 0) remaining.push(newOwner(name, mine, now))
    else remaining[at] = newOwner(name, union(setOf(remaining[at]!), mine), now)
  }
  return storedEntries(mergeOldestUpdaters(remaining), owners)
}

function changeOf(typeName: string, old: KubernetesObject, next: KubernetesObject, reset: FieldSet) {
  const { added, modified, removed } = withoutFields(compareObjects(typeName, old, next), reset)
  const written = union(modified, added)
  return { written, owned: withoutUnowned(written), removed }
}

/** `owners` in order; the entries from before when they are the same. */
export function storedEntries(owners: readonly Owner[], before: readonly Owner[]): readonly ManagedFieldsEntry[] | undefined {
  if (owners.length === 0) return undefined
  const sorted = sortOwners(owners)
  return sorted.length === before.length && sorted.every((owner, at) => owner === before[at]) ? before : sorted
}

/**
 * A request may bring managedFields: empty ones forget all owners, valid ones replace them, and none or invalid ones
 * leave those of the stored object. Writes to a subresource never change them by hand.
 */
function ownersBefore(old: KubernetesObject | undefined, next: KubernetesObject, subresource: string): readonly Owner[] {
  const stored = ownersOfStored(old?.metadata?.managedFields)
  const asked = next.metadata?.managedFields
  if (subresource !== '' || asked === undefined || asked === stored || asked === null) return stored
  if (isReset(asked)) return noOwners
  if (isEqualJson(asked, stored)) return stored
  try {
    return decodeOwners(asked)
  } catch {
    return stored
  }
}

// The managed fields of a new object.
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.buildManagerInfoManager.Update
interface Creation {
  /** All fields that are set. */
  readonly written: FieldSet
  /** Those that come to be owned. */
  readonly owned: FieldSet
  /** The object did not exist. */
  readonly removed: FieldSet
}

const specFields = new KnownSpecs<FieldSet>()

/** The fields of the spec are found out once for each spec, by identity. */
export function creationOf(typeName: string, object: KubernetesObject & { readonly spec?: unknown }, resetFields?: ResetFields): Creation {
  const written = writtenIn(typeName, object, resetFieldsOf('', resetFields))
  return { written, owned: withoutUnowned(written), removed: emptySet }
}

function writtenIn(typeName: string, object: KubernetesObject & { readonly spec?: unknown }, reset: FieldSet): FieldSet {
  const { spec, ...rest } = object
  // Custom resources may have any value there.
  if (typeof spec !== 'object' || spec === null) return fieldsOf(typeName, object, reset)
  const ofSpec = specFields.of(spec, [typeName], () => fieldsOf(typeName, { spec }, reset))
  return union(fieldsOf(typeName, rest, reset), ofSpec)
}

function fieldsOf(typeName: string, object: object, reset: FieldSet): FieldSet {
  const { added, modified } = withoutFields(compareObjects(typeName, {}, object as KubernetesObject), reset)
  return union(modified, added)
}

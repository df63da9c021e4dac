// The entries of metadata.managedFields: the fields of each manager and operation.
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.DecodeManagedFields, encodeManagedFields, sortEncodedManagedFields
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.capManagersManager.capUpdateManagers, managedFieldsUpdater.Update
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.BuildManagerIdentifier
import { getOrAdd } from '../../../base/maps.ts'
import { isJsonObject } from '../json-object.ts'
import type { ManagedFieldsEntry, Writable } from '../types.ts'
import { difference, emptySet, type FieldSet, type FieldSetInProgress, isEmptySet, unionAll } from './field-set.ts'
import { compareElements, readElement } from './path-element.ts'

/** An entry of which is known that its fields are a set in the form of ./field-set.ts. */
export interface Owner extends ManagedFieldsEntry {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly fieldsType: 'FieldsV1'
  readonly fieldsV1: FieldSet
}

export const setOf = (owner: Owner): FieldSet => owner.fieldsV1

/** The entries of a stored object. They were written by the server, and are not checked. */
export function ownersOfStored(entries: readonly ManagedFieldsEntry[] | undefined): readonly Owner[] {
  return (entries ?? []) as readonly Owner[]
}

/** Entries that came with a request. Throws an Error when one of them is not valid. */
export function decodeOwners(entries: readonly ManagedFieldsEntry[]): readonly Owner[] {
  const owners = new Map<string, Owner>()
  entries.forEach((entry, at) => {
    if (entry.operation !== 'Apply' && entry.operation !== 'Update') throw new Error('operation must be `Apply` or `Update`')
    if (!entry.apiVersion) throw new Error('apiVersion must not be empty')
    if (!entry.fieldsType) throw new Error(`missing fieldsType in managed fields entry ${at}`)
    if (entry.fieldsType !== 'FieldsV1')
      throw new Error(`invalid fieldsType ${JSON.stringify(entry.fieldsType)} in managed fields entry ${at}`)
    const { manager = '', operation, apiVersion, time, fieldsV1, subresource } = entry
    const owner = newOwner({ manager, operation, apiVersion, subresource }, decodeFieldSet(fieldsV1), time)
    owners.set(ownerId(owner), owner)
  })
  return [...owners.values()]
}

/** An empty list, or a list of one empty entry, removes all managers. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined || entries.length > 1) return false
  return entries.length === 0 || Object.values(entries[0]!).every((value) => value === undefined || value === '' || value === null)
}

interface OwnerName {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource?: string | undefined
}

export function newOwner({ manager, operation, apiVersion, subresource }: OwnerName, set: FieldSet, time: string | undefined): Owner {
  const owner: Writable<Owner> =
    time === undefined
      ? { manager, operation, apiVersion, fieldsType: 'FieldsV1', fieldsV1: set }
      : { manager, operation, apiVersion, time, fieldsType: 'FieldsV1', fieldsV1: set }
  if (subresource) owner.subresource = subresource
  return owner
}

/** Two entries with one id are one owner. An applier is the same in every version. */
export function ownerId({ manager, operation, apiVersion, subresource }: OwnerName): string {
  return JSON.stringify({
    ...(manager !== '' && { manager }),
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource && { subresource }),
  })
}

export function isSameOwner(one: OwnerName, other: OwnerName): boolean {
  return (
    one.manager === other.manager &&
    one.operation === other.operation &&
    (one.operation === 'Apply' || one.apiVersion === other.apiVersion) &&
    (one.subresource ?? '') === (other.subresource ?? '')
  )
}

/** The owners without the fields that a write took from them; those that own nothing else are left out. */
export function withoutLost(
  owners: readonly Owner[],
  written: FieldSet,
  removed: FieldSet,
  keepsWritten: (owner: Owner) => boolean = () => false,
): Owner[] {
  return owners.flatMap((owner) => {
    const left = difference(keepsWritten(owner) ? setOf(owner) : difference(setOf(owner), written), removed)
    if (left === setOf(owner)) return [owner]
    return isEmptySet(left) ? [] : [{ ...owner, fieldsV1: left }]
  })
}

/** Appliers first, then by time, manager, version and subresource. */
export function sortOwners(owners: readonly Owner[]): readonly Owner[] {
  for (let at = 1; at < owners.length; at++) if (compareOwners(owners[at - 1]!, owners[at]!) > 0) return [...owners].sort(compareOwners)
  return owners
}

function compareOwners(one: Owner, other: Owner): number {
  return (
    compareText(one.operation, other.operation) ||
    compareText(one.time ?? '', other.time ?? '') ||
    compareText(one.manager, other.manager) ||
    compareText(one.apiVersion, other.apiVersion) ||
    compareText(one.subresource ?? '', other.subresource ?? '')
  )
}

const compareText = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1)

const maxUpdaters = 10

/** At most ten entries of updates: the oldest become one, by the name of `ancient-changes`, for each version. */
export function mergeOldestUpdaters(owners: readonly Owner[]): readonly Owner[] {
  if (owners.length <= maxUpdaters) return owners
  const updaters = owners.filter(({ operation }) => operation === 'Update')
  if (updaters.length <= maxUpdaters) return owners
  updaters.sort((one, other) => compareText(one.time ?? '', other.time ?? '') || compareText(ownerId(one), ownerId(other)))
  const gone = new Set<Owner>()
  const firsts = new Map<string, Owner>()
  const buckets = new Map<string, Owner[]>()
  let count = updaters.length
  for (const owner of updaters) {
    if (count <= maxUpdaters) break
    const { apiVersion } = owner
    const first = firsts.get(apiVersion)
    if (first === undefined) {
      firsts.set(apiVersion, owner)
      continue
    }
    getOrAdd(buckets, apiVersion, () => [owners.find((one) => isSameOwner(one, ancient(apiVersion))) ?? first]).push(owner)
    count--
  }
  for (const owner of [...buckets.values()].flat()) gone.add(owner)
  const merged = [...buckets].map(([apiVersion, all]) => newOwner(ancient(apiVersion), unionAll(all.map(setOf)), all.at(-1)!.time))
  return [...owners.filter((owner) => !gone.has(owner)), ...merged]
}

const ancient = (apiVersion: string) => ({ manager: 'ancient-changes', operation: 'Update', apiVersion }) as const

export const noOwners: readonly Owner[] = Object.freeze([])

// Decodes a `fieldsV1` that a client sent. Values that the server wrote are field sets already.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/fieldpath.Set.FromJSON, DeserializePathElement
/** The set, in the form that all operations expect. Throws an Error when it is not one. */
export function decodeFieldSet(fieldsV1: unknown): FieldSet {
  if (fieldsV1 === undefined || fieldsV1 === null) return emptySet
  const set = decodeNode(fieldsV1)
  const { '.': _, ...root } = set
  return set['.'] === undefined ? set : root
}

function decodeNode(value: unknown): FieldSet {
  if (!isJsonObject(value)) throw new Error('ReadMapCB: expect { or n')
  const children: [string, FieldSet][] = []
  let isSelfIn = false
  for (const key of Object.keys(value)) {
    if (key === '.') {
      isSelfIn = true
      continue
    }
    const element = readElement(key)
    if (element !== undefined) children.push([element, decodeNode(value[key])])
  }
  if (children.length === 0) return emptySet
  children.sort(([one], [other]) => compareElements(one, other))
  const result: FieldSetInProgress = isSelfIn ? { '.': emptySet } : {}
  for (const [element, node] of children) {
    const twin = result[element]
    result[element] = twin === undefined || isEmptySet(twin) ? node : twin
  }
  return result
}

// Server-side apply: the configuration is merged into the live object, fields that its manager owned and left out are removed, and
// a change of fields that other managers own is a conflict.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/merge.Updater.Apply, Updater.prune, Updater.addBackOwnedItems
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/merge.Updater.addBackDanglingItems
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.structuredMergeManager.Apply, FieldManager.Apply
import { isEqualJson } from '../../../base/json.ts'
import { groupBy } from '../../../base/maps.ts'
import { goJson } from '../go-text.ts'
import { isJsonObject, type JsonObject, withSortedKeys } from '../json-object.ts'
import { apiVersionOf } from '../kind.ts'
import { plainPatchError } from '../patch/patch-error.ts'
import { badRequestError, failure, type StatusError } from '../status-error.ts'
import type { KubernetesObject, ManagedFieldsEntry } from '../types.ts'
import { typeProblem } from './check-typed.ts'
import { compareWithNulls, withoutFields } from './compare.ts'
import {
  difference,
  emptySet,
  type FieldSet,
  hasPath,
  intersection,
  isEmptySet,
  isSameSet,
  pathsOf,
  recursiveDifference,
  union,
  unionAll,
} from './field-set.ts'
import { decodeOwners, isSameOwner, newOwner, type Owner, ownerId, setOf, withoutLost } from './managers.ts'
import { mergeTyped } from './merge-typed.ts'
import { namedFieldsOf, withoutUnowned } from './of-object.ts'
import { formatPath } from './path-element.ts'
import { removeFields, withNamedFields, withoutNullFields } from './remove-fields.ts'
import { type ResetFields, resetFieldsOf } from './reset-fields.ts'
import { type Shape, shapeOfKind } from './shape.ts'
import { storedEntries, trackUpdate } from './update.ts'

interface ApplyRequest {
  readonly typeName: string
  readonly resource: { readonly group: string; readonly version: string; readonly kind: string }
  /** The stored object; undefined when the apply creates it. */
  readonly live: KubernetesObject | undefined
  /** The configuration as it was sent. */
  readonly applied: unknown
  readonly manager: string
  readonly force: boolean
  readonly subresource?: string | undefined
  /** As in the Strategy of the kind. */
  readonly resetFields?: ResetFields | undefined
  /** RFC 3339, in seconds. */
  readonly now: string
}

/**
 * The object to store, with its managedFields and without defaults. It is `live` itself when nothing changes, owners
 * included. Throws the StatusError of Kubernetes: a conflict, a wrong type, an unknown field.
 */
export function applyServerSide(request: ApplyRequest): KubernetesObject {
  const applied = checkedConfiguration(request)
  const shape = shapeOfKind(request.typeName)
  const before = ownersOf(request)
  const owners = before.length === 0 ? firstOwners(request) : before
  let outcome = applyOnce(request, shape, applied, owners, request.force)
  if (outcome.conflicts.length > 0 && request.manager === 'kubectl') {
    // A manager that used client-side apply owned these fields, and keeps them.
    const own = fieldsOfLastApplied(shape, apiVersionOf(request.resource), request.live)
    const foreign = own === undefined ? outcome.conflicts : outcome.conflicts.filter(({ path }) => !hasPath(own, path))
    if (foreign.length > 0) throw applyConflictError(foreign)
    outcome = applyOnce(request, shape, applied, owners, true)
  }
  if (outcome.conflicts.length > 0) throw applyConflictError(outcome.conflicts)
  const object = request.manager === 'kubectl' ? withLastApplied(outcome.object, applied) : outcome.object
  return withManagedFields(object, storedEntries(outcome.owners, before))
}

function withManagedFields(object: KubernetesObject, managedFields: readonly ManagedFieldsEntry[] | undefined): KubernetesObject {
  if (object.metadata?.managedFields === managedFields) return object
  const { managedFields: _, ...metadata } = object.metadata ?? {}
  return { ...object, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields } }
}

function checkedConfiguration({ typeName, resource, applied }: ApplyRequest): JsonObject & KubernetesObject {
  const object = isJsonObject(applied) ? applied : {}
  const { apiVersion, kind } = object
  const given = splitVersion(apiVersion)
  const [group, version] = given ?? ['', '']
  if (group !== resource.group || version !== resource.version || kind !== resource.kind) {
    const shownKind = typeof kind === 'string' && given !== undefined ? kind : ''
    throw badRequestError(`invalid object type: ${group}/${version}, Kind=${shownKind}`)
  }
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {}
  if (metadata['managedFields'] !== undefined && metadata['managedFields'] !== null)
    throw badRequestError('metadata.managedFields must be nil')
  const problem = typeProblem(shapeOfKind(typeName), object)
  if (problem !== undefined) throw plainPatchError(`failed to create typed patch object (${describeApplied(resource, object)}): ${problem}`)
  return object as JsonObject & KubernetesObject
}

/** A configuration in messages: `default/web; apps/v1, Kind=Deployment`. */
export function describeApplied(resource: ApplyRequest['resource'], applied: unknown): string {
  const metadata = isJsonObject(applied) && isJsonObject(applied['metadata']) ? applied['metadata'] : {}
  const text = (name: string) => (typeof metadata[name] === 'string' ? metadata[name] : '')
  return `${text('namespace')}/${text('name')}; ${describeKind(resource)}`
}

/** `/v1, Kind=Pod`. */
export const describeKind = ({ group, version, kind }: ApplyRequest['resource']): string => `${group}/${version}, Kind=${kind}`

/** Undefined for text that is no version. */
function splitVersion(apiVersion: unknown): [group: string, version: string] | undefined {
  if (typeof apiVersion !== 'string') return ['', '']
  const parts = apiVersion.split('/')
  if (parts.length > 2) return undefined
  return parts.length === 2 ? [parts[0]!, parts[1]!] : ['', apiVersion]
}

function ownersOf({ live }: ApplyRequest): readonly Owner[] {
  const entries = live?.metadata?.managedFields
  if (entries === undefined) return []
  try {
    decodeOwners(entries)
    return entries as readonly Owner[]
  } catch (error) {
    throw plainPatchError(`failed to decode managed fields: ${(error as Error).message}`)
  }
}

/** The fields that an object without managers has before its first apply belong to a manager of this name. */
function firstOwners({ typeName, resource, live, subresource, resetFields, now }: ApplyRequest): readonly Owner[] {
  if (live === undefined) return []
  const apiVersion = apiVersionOf(resource)
  return (trackUpdate({
    typeName,
    old: undefined,
    next: live,
    manager: 'before-first-apply',
    apiVersion,
    subresource,
    resetFields,
    now,
  }) ?? []) as Owner[]
}

interface Outcome {
  readonly object: KubernetesObject
  readonly owners: readonly Owner[]
  /** When there are any, the rest does not count. */
  readonly conflicts: readonly Conflict[]
}

function applyOnce(request: ApplyRequest, shape: Shape, applied: KubernetesObject, owners: readonly Owner[], force: boolean): Outcome {
  const { resource, manager, subresource = '', now } = request
  const live = request.live ?? {}
  const reset = resetFieldsOf(subresource, request.resetFields)
  const name = { manager, operation: 'Apply', apiVersion: apiVersionOf(resource), subresource } as const
  const previous = owners.find((owner) => isSameOwner(owner, name))
  const others = owners.filter((owner) => owner !== previous)
  const set = recursiveDifference(namedFieldsOf(shape, applied), reset)
  const merged = mergeTyped(shape, live, applied)
  const claimed = unionAll([set, ...others.map(setOf)])
  const pruned = prune(shape, merged, previous === undefined ? emptySet : setOf(previous), claimed)

  const changes = withoutFields(compareWithNulls(shape, live, pruned), reset)
  const written = union(changes.modified, changes.added)
  const conflicts = force ? [] : conflictsWith(others, written)
  const remaining = conflicts.length > 0 ? [] : withoutLost(others, written, changes.removed)

  const object = withoutNullFields(shape, pruned) as KubernetesObject
  const isChanged = !isEqualJson(object, live) && !isEqualJson(object, withoutNullFields(shape, live))
  const mine = withoutUnowned(set)
  const time = isChanged ? now : previous?.time
  if (!isEmptySet(mine))
    remaining.push(
      previous !== undefined && isSameSet(setOf(previous), mine) && previous.time === time && previous.apiVersion === name.apiVersion
        ? previous
        : newOwner(name, mine, time),
    )
  return { object: isChanged ? object : live, owners: remaining, conflicts }
}

/** Removes the fields that the applier owned, except those that it or another manager still owns, and those that contain fields of another manager. */
function prune(shape: Shape, merged: unknown, last: FieldSet, claimed: FieldSet): unknown {
  if (isEmptySet(last)) return merged
  const named = (set: FieldSet) => withNamedFields(set, shape)
  const all = named(namedFieldsOf(shape, merged))
  const stripped = removeFields(shape, merged, named(last)) ?? {}
  const kept = union(named(namedFieldsOf(shape, stripped)), named(claimed))
  const restored = removeFields(shape, merged, difference(all, kept)) ?? {}
  const gone = difference(all, named(namedFieldsOf(shape, restored)))
  return removeFields(shape, merged, intersection(gone, named(last))) ?? {}
}

// Conflicts of an apply with fields that other managers own.
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.NewConflictError, getConflictMessage, printManager
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/merge.ConflictsFromManagers
interface Conflict {
  readonly owner: Owner
  readonly path: readonly string[]
}

/** The fields of others that are among those written. */
function conflictsWith(others: readonly Owner[], written: FieldSet): Conflict[] {
  return others.flatMap((owner) => pathsOf(intersection(setOf(owner), written)).map((path) => ({ owner, path })))
}

function applyConflictError(conflicts: readonly Conflict[]): StatusError {
  return failure(409, 'Conflict', conflictMessage(conflicts), {
    causes: conflicts.map(({ owner, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${formatOwner(owner)}`,
      field: formatPath(path),
    })),
  })
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts
  if (first !== undefined && conflicts.length === 1)
    return `Apply failed with 1 conflict: conflict with ${formatOwner(first.owner)}: ${formatPath(first.path)}`
  const byOwner = groupBy(conflicts, ({ owner }) => ownerId(owner))
  const lines = [...byOwner.keys()].sort().flatMap((id) => {
    const theirs = byOwner.get(id)!
    return [`conflicts with ${formatOwner(theirs[0]!.owner)}:`, ...theirs.map(({ path }) => `- ${formatPath(path)}`)]
  })
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`
}

/** `"hand" with subresource "status" using v1`; of an applier without its version. */
function formatOwner({ manager, operation, apiVersion, subresource }: Owner): string {
  const name = JSON.stringify(manager) + (subresource ? ` with subresource ${JSON.stringify(subresource)}` : '')
  return operation === 'Update' ? `${name} using ${apiVersion}` : name
}

// The annotation that `kubectl apply` keeps on the client's side, for objects that move to server-side apply.
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields/internal.lastAppliedManager.*, lastAppliedUpdater.*, buildLastApplied
const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
const maxAnnotationBytes = 256 * 1024

function annotationsOf(object: KubernetesObject | undefined): Readonly<Record<string, string>> {
  const annotations: Readonly<Record<string, string | null>> = object?.metadata?.annotations ?? {}
  // What is applied may be null, which is an empty string in Go.
  return Object.fromEntries(Object.entries(annotations).map(([key, value]) => [key, value ?? '']))
}

function lastAppliedOf(object: KubernetesObject | undefined): string {
  const annotations = object?.metadata?.annotations ?? {}
  return (Object.hasOwn(annotations, annotation) ? annotations[annotation] : undefined) ?? ''
}

/** The fields that the annotation names and that still have its values; undefined when there is no such configuration. */
function fieldsOfLastApplied(shape: Shape, apiVersion: string, live: KubernetesObject | undefined): FieldSet | undefined {
  let applied: unknown
  try {
    applied = JSON.parse(lastAppliedOf(live))
  } catch {
    return undefined
  }
  if (!isJsonObject(applied) || applied['apiVersion'] !== apiVersion || typeProblem(shape, applied) !== undefined) return undefined
  const { added, modified, removed } = compareWithNulls(shape, applied, live)
  return difference(difference(difference(namedFieldsOf(shape, applied), modified), added), removed)
}

/** The object with the annotation brought up to date, if it has one. */
function withLastApplied(object: KubernetesObject, applied: KubernetesObject): KubernetesObject {
  if (lastAppliedOf(object) === '') return object
  const { [annotation]: _, ...others } = annotationsOf(applied)
  const configuration =
    applied.metadata?.annotations === undefined ? applied : { ...applied, metadata: { ...applied.metadata, annotations: others } }
  const text = `${goJson(withSortedKeys(configuration))}\n`
  const annotations = { ...annotationsOf(object), [annotation]: text }
  let bytes = 0
  for (const [key, value] of Object.entries(annotations)) bytes += key.length + value.length
  if (bytes > maxAnnotationBytes) annotations[annotation] = ''
  if (annotations[annotation] === lastAppliedOf(object)) return object
  return { ...object, metadata: { ...object.metadata, annotations } }
}

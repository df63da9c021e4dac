// Merging two lists as strategic merge patch does: scalars as a set, objects by their merge key.
// Kubernetes: k8s.io/apimachinery/pkg/util/strategicpatch.mergeSlice, mergeSliceWithSpecialElements, mergeSliceWithoutSpecialElements
// Kubernetes: k8s.io/apimachinery/pkg/util/strategicpatch.deleteMatchingEntries, deleteFromSlice
import { formatGoText, formatGoValue, goTypeOf } from '../go-text.ts'
import { isJsonObject, type JsonObject } from '../json-object.ts'
import type { FieldType } from '../schema/schema.ts'
import { patchDoesNotApplyError, plainPatchError } from './patch-error.ts'
import { goKindOf } from './patch-schema.ts'

interface ListRule {
  /** Of the elements. */
  readonly type: FieldType
  readonly mergeKey: string | undefined
  /** The patch lists scalars to remove. */
  readonly isDeletion: boolean
}

type MergeElements = (original: JsonObject, patch: JsonObject) => JsonObject

export function mergeList(
  rule: ListRule,
  original: readonly unknown[],
  patch: readonly unknown[],
  mergeElements: MergeElements,
): readonly unknown[] {
  if (original.length === 0 && patch.length === 0) return original
  if (!hasObjects(original, patch)) {
    if (rule.isDeletion) {
      const gone = new Set(patch)
      return original.filter((one) => !gone.has(one))
    }
    return orderElements([...new Set([...original, ...patch])], patch, original, rule.mergeKey)
  }
  if (rule.mergeKey === undefined) throw plainPatchError(`cannot merge lists without merge key for ${goKindOf(rule.type)}`)
  const prepared = applyElementDirectives(original as JsonObject[], patch as JsonObject[], rule.mergeKey)
  const merged = mergeByKey(prepared.original, prepared.patch, rule.mergeKey, mergeElements)
  return orderElements(merged, prepared.patch, prepared.original, rule.mergeKey)
}

/** All elements of both lists have one type, and it is not a list. */
function hasObjects(...lists: (readonly unknown[])[]): boolean {
  let first: string | undefined
  for (const list of lists)
    for (const element of list) {
      const type = goTypeOf(element)
      if (first === undefined) {
        first = type
        if (Array.isArray(element)) throw patchDoesNotApplyError()
      } else if (first !== type) throw plainPatchError(`list element types are not identical: ${formatGoValue(lists)}`)
    }
  return first === 'map[string]interface {}'
}

/** Elements with `$patch` are directives for the list, and never part of it. */
function applyElementDirectives(original: readonly JsonObject[], patch: readonly JsonObject[], mergeKey: string) {
  const plain: JsonObject[] = []
  const deleted = new Set<unknown>()
  let isReplaced = false
  for (const element of patch) {
    if (!Object.hasOwn(element, '$patch')) {
      plain.push(element)
      continue
    }
    const directive = element['$patch']
    if (directive === 'delete') deleted.add(keyOf(element, mergeKey))
    else if (directive === 'replace') isReplaced = true
    else if (directive === 'merge') throw plainPatchError('merging lists cannot yet be specified in the patch')
    else throw plainPatchError(`unknown patch type: ${formatGoText(directive)} in map: ${formatGoValue(element)}`)
  }
  if (isReplaced) return { original: plain, patch: [] }
  const kept = deleted.size === 0 ? original : original.filter((one) => !(Object.hasOwn(one, mergeKey) && deleted.has(one[mergeKey])))
  return { original: kept, patch: plain }
}

function mergeByKey(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
  mergeElements: MergeElements,
): JsonObject[] {
  const merged = [...original]
  const placeOf = new Map<unknown, number>()
  const remember = (element: JsonObject, at: number) => {
    // The first of several elements with one key is the one that is merged.
    if (Object.hasOwn(element, mergeKey) && !placeOf.has(element[mergeKey])) placeOf.set(element[mergeKey], at)
  }
  merged.forEach(remember)
  for (const element of patch) {
    const at = placeOf.get(keyOf(element, mergeKey))
    if (at !== undefined) merged[at] = mergeElements(merged[at]!, element)
    else remember(element, merged.push(element) - 1)
  }
  return merged
}

function keyOf(element: unknown, mergeKey: string): unknown {
  if (!isJsonObject(element) || !Object.hasOwn(element, mergeKey))
    throw plainPatchError(`map: ${formatGoValue(element)} does not contain declared merge key: ${mergeKey}`)
  return element[mergeKey]
}

// The order of a merged list: elements of the patch keep the order of the patch, and all others that of the server. The two are interleaved:
// an element that only the server has stays before the elements that followed it on the server.
//   server [a b c d], patch names [d b]   →   [a c d b]
// Kubernetes: k8s.io/apimachinery/pkg/util/strategicpatch.normalizeElementOrder, mergeSortedSlice, normalizeSliceOrder
export function orderElements(
  merged: readonly unknown[],
  patchOrder: readonly unknown[],
  serverOrder: readonly unknown[],
  mergeKey: string | undefined,
): unknown[] {
  const keyOf = (element: unknown) => (mergeKey === undefined ? element : mergeKeyOf(element, mergeKey))
  const inPatch = firstPlaces(patchOrder, keyOf)
  const onServer = firstPlaces(serverOrder, keyOf)
  const named: Placed[] = []
  const rest: Placed[] = []
  for (const element of merged) {
    const key = keyOf(element)
    const server = onServer.get(key)
    const place = inPatch.get(key)
    if (place === undefined) rest.push({ element, place: server ?? -1, server })
    else named.push({ element, place, server })
  }
  named.sort(byPlace)
  rest.sort(byPlace)
  const ordered: unknown[] = []
  let next = 0
  for (const { element, server } of named) {
    while (next < rest.length && isBefore(rest[next]!.server, server)) ordered.push(rest[next++]!.element)
    ordered.push(element)
  }
  while (next < rest.length) ordered.push(rest[next++]!.element)
  return ordered
}

interface Placed {
  readonly element: unknown
  readonly place: number
  readonly server: number | undefined
}

const byPlace = (one: Placed, other: Placed) => one.place - other.place

const isBefore = (one: number | undefined, other: number | undefined) => one !== undefined && other !== undefined && one < other

function firstPlaces(order: readonly unknown[], keyOf: (element: unknown) => unknown): Map<unknown, number> {
  const places = new Map<unknown, number>()
  order.forEach((element, at) => {
    const key = keyOf(element)
    if (!places.has(key)) places.set(key, at)
  })
  return places
}

export function mergeKeyOf(element: unknown, mergeKey: string): unknown {
  if (!isJsonObject(element)) throw plainPatchError(`expected a map[string]interface {}, but received a ${goTypeOf(element)}`)
  if (!Object.hasOwn(element, mergeKey))
    throw plainPatchError(`map: ${formatGoValue(element)} does not contain declared merge key: ${mergeKey}`)
  return element[mergeKey]
}

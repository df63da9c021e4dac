// Strategic merge patch: a merge patch that knows the types. Lists with a merge key are merged element by element, lists
// of scalars with the merge strategy are sets, and directives say what a plain merge cannot:
//   $patch: replace | delete          on an object, or on an element of a merging list
//   $retainKeys: [a, b]               drops every other member of the current object
//   $deleteFromPrimitiveList/x: [..]  takes scalars out of the list x
//   $setElementOrder/x: [..]          the order of the list x, after merging
// Kubernetes: k8s.io/apimachinery/pkg/util/strategicpatch.StrategicMergeMapPatchUsingLookupPatchMeta, mergeMap
// Kubernetes: k8s.io/apimachinery/pkg/util/strategicpatch.handleDirectiveInMergeMap, applyRetainKeysDirective
// Kubernetes: k8s.io/apimachinery/pkg/util/strategicpatch.validatePatchWithSetOrderList, mergePatchIntoOriginal
import { formatGoText, formatGoValue, goTypeOf } from '../go-text.ts'
import { isJsonObject, type JsonObject, ownValue, setOwnValue, withoutNulls } from '../json-object.ts'
import type { FieldType } from '../schema/schema.ts'
import { badRequestError } from '../status-error.ts'
import { mergeKeyOf, mergeList, orderElements } from './merge-list.ts'
import { malformedPatchError, plainPatchError } from './patch-error.ts'
import { type PatchField, patchFieldOf, patchListOf, structType } from './patch-schema.ts'

const deleteFromList = '$deleteFromPrimitiveList'
const setElementOrder = '$setElementOrder'

/** The patched object. `original` and the patch are not changed; the result shares unpatched parts with `original`. */
export function applyStrategicMergePatch(typeName: string, original: JsonObject, patch: unknown): JsonObject {
  if (patch === null) return original
  if (!isJsonObject(patch)) throw malformedPatchError(patch, 'map[string]interface {}')
  return mergeMap(structType(typeName), original, patch)
}

function mergeMap(type: FieldType, original: JsonObject, patch: JsonObject): JsonObject {
  if (Object.hasOwn(patch, '$patch')) return applyMapDirective(patch)
  const result = retainKeys(original, patch)
  const ordered = mergeOrderedLists(type, result, patch)
  for (const key of Object.keys(patch)) {
    if (key === '$retainKeys' || key.startsWith(setElementOrder) || ordered.has(key)) continue
    if (key.startsWith(deleteFromList)) deleteScalars(type, result, key, patch[key])
    else mergeField(type, result, key, patch[key])
  }
  return result
}

function applyMapDirective(patch: JsonObject): JsonObject {
  const directive = patch['$patch']
  if (directive === 'delete') return {}
  if (directive !== 'replace') throw plainPatchError(`unknown patch type: ${formatGoText(directive)} in map: ${formatGoValue(patch)}`)
  const { $patch: _, ...rest } = patch
  return rest
}

/** A copy of the original that may be changed, with only those members that `$retainKeys` names. */
function retainKeys(original: JsonObject, patch: JsonObject): JsonObject {
  if (!Object.hasOwn(patch, '$retainKeys')) return { ...original }
  const names = patch['$retainKeys']
  const badFormat = () => badRequestError('invalid patch format of retainKeys')
  if (!Array.isArray(names)) throw badFormat()
  const kept = new Set<unknown>(names)
  for (const key of Object.keys(patch)) {
    if (key === '$retainKeys' || patch[key] === null || key.startsWith(deleteFromList) || key.startsWith(setElementOrder)) continue
    if (!kept.has(key)) throw badFormat()
  }
  const result: JsonObject = {}
  for (const key of Object.keys(original)) if (kept.has(key)) setOwnValue(result, key, original[key])
  return result
}

/** Merges each list that has an order directive. Returns their names. */
function mergeOrderedLists(type: FieldType, result: JsonObject, patch: JsonObject): Set<string> {
  const done = new Set<string>()
  for (const directive of Object.keys(patch)) {
    if (!directive.startsWith(setElementOrder)) continue
    const order = asList(patch[directive])
    const key = keyAfter(directive, setElementOrder, 'invalid patch format of setElementOrder list')
    const current = Object.hasOwn(result, key) ? asList(result[key]) : undefined
    const patched = Object.hasOwn(patch, key) ? asList(patch[key]) : undefined
    const field = patchListOf(type, key)
    if (patched !== undefined) checkOrder(patched, order, field.mergeKey)
    if (current === undefined && patched === undefined) continue
    const merged =
      patched === undefined
        ? current!
        : current === undefined
          ? (withoutDirectives(patched) as unknown[])
          : mergeListField(field, current, patched, false)
    if ((current ?? []).length === 0 && (patched ?? []).length === 0) throw plainPatchError('no elements in any of the given slices')
    setOwnValue(result, key, orderElements(merged, order, current ?? [], field.mergeKey))
    done.add(key)
  }
  return done
}

/** The patch may only contain elements that the order directive names, in that order. */
function checkOrder(patched: readonly unknown[], order: readonly unknown[], mergeKey: string | undefined): void {
  if (order.length === 0 || patched.length === 0) return
  let at = 0
  for (const element of patched) {
    if (mergeKey !== undefined && !isJsonObject(element))
      throw plainPatchError(`expected a map[string]interface {}, but received a ${goTypeOf(element)}`)
    if (isJsonObject(element) && Object.hasOwn(element, '$patch')) continue
    while (at < order.length && !isSameElement(element, order[at], mergeKey)) at++
    if (at === order.length)
      throw plainPatchError(
        `The order in patch list:\n${formatGoValue(patched)}\n doesn't match ${setElementOrder} list:\n${formatGoValue(order)}\n`,
      )
    at++
  }
}

function isSameElement(one: unknown, other: unknown, mergeKey: string | undefined): boolean {
  if (mergeKey === undefined) return one === other
  return mergeKeyOf(one, mergeKey) === mergeKeyOf(other, mergeKey)
}

function deleteScalars(type: FieldType, result: JsonObject, directive: string, value: unknown): void {
  const key = keyAfter(directive, deleteFromList, 'invalid patch format of primitive list')
  if (value === null) delete result[key]
  const current = ownValue(result, key)
  if (!Array.isArray(current) || !Array.isArray(value)) return
  setOwnValue(result, key, mergeListField(patchListOf(type, key), current, value, true))
}

function mergeField(type: FieldType, result: JsonObject, key: string, value: unknown): void {
  const merged = value === null ? undefined : mergeValue(type, key, ownValue(result, key), value)
  if (merged === undefined) delete result[key]
  else setOwnValue(result, key, merged)
}

function mergeValue(type: FieldType, key: string, current: unknown, value: unknown): unknown {
  if (Array.isArray(current) && Array.isArray(value)) return mergeListField(patchListOf(type, key), current, value, false)
  if (!isJsonObject(current) || !isJsonObject(value)) return withoutDirectives(withoutNulls(value))
  const field = patchFieldOf(type, key)
  return field.strategy === 'replace' ? value : mergeMap(field.type, current, value)
}

function mergeListField(
  field: PatchField,
  current: readonly unknown[],
  patch: readonly unknown[],
  isDeletion: boolean,
): readonly unknown[] {
  if (field.strategy !== 'merge' && !isDeletion) return patch
  return mergeList({ ...field, isDeletion }, current, patch, (original, more) => mergeMap(field.type, original, more))
}

function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw plainPatchError(`expected a []interface {}, but received a ${goTypeOf(value)}`)
  return value
}

function keyAfter(directive: string, prefix: string, message: string): string {
  if (!directive.startsWith(`${prefix}/`)) throw badRequestError(message)
  return directive.slice(prefix.length + 1)
}

/** The value without the objects that carry `$patch`; undefined when it is one itself. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((one) => one !== undefined)
  if (!isJsonObject(value)) return value
  if (Object.hasOwn(value, '$patch')) return undefined
  const result: JsonObject = {}
  for (const key of Object.keys(value)) {
    const member = withoutDirectives(value[key])
    if (member !== undefined) setOwnValue(result, key, member)
  }
  return result
}

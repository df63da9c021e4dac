// Taking fields out of an object.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/typed.removingWalker.*
import { isJsonObject, type JsonObject, setOwnValue } from '../json-object.ts'
import { emptySet, type FieldSet, type FieldSetInProgress, isEmptySet, isMember, withSelf } from './field-set.ts'
import { elementOf } from './list-element.ts'
import { type ListShape, memberShape, type Shape, shapeFor } from './shape.ts'

/**
 * The value without those fields. An object or a list that loses all it had becomes null: it is still there, with
 * nothing in it, so that it does not count as removed itself.
 */
export function removeFields(given: Shape, value: unknown, fields: FieldSet): unknown {
  const shape = shapeFor(given, value)
  if (shape.kind === 'scalar' || isEmptySet(fields)) return value
  if (shape.atomic || typeof value !== 'object' || value === null) return null
  if (shape.kind === 'list') return Array.isArray(value) ? removeElements(shape, value, fields) : null
  if (!isJsonObject(value)) return null
  const result: JsonObject = {}
  let isAny = false
  for (const key of Object.keys(value)) {
    const node = fields[`f:${key}`]
    if (node !== undefined && isMember(node)) continue
    const member = memberShape(shape, key)
    setOwnValue(result, key, node === undefined || member === undefined ? value[key] : removeFields(member, value[key], node))
    isAny = true
  }
  return isAny ? result : null
}

function removeElements(shape: ListShape, list: readonly unknown[], fields: FieldSet): unknown {
  const result: unknown[] = []
  for (const value of list) {
    const node = fields[elementOf(shape, value) ?? '']
    if (node !== undefined && isMember(node)) continue
    result.push(node === undefined ? value : removeFields(shape.of, value, node))
  }
  return result.length > 0 ? result : null
}

/** The set with all parents of its fields that are structs: `spec.replicas` implies `spec`. */
export function withNamedFields(set: FieldSet, shape: Shape | undefined): FieldSet {
  const result: FieldSetInProgress = {}
  for (const element in set) {
    const node = set[element]!
    if (element === '.' || isEmptySet(node)) {
      result[element] = node
      continue
    }
    const inner = withNamedFields(node, shapeBelow(shape, element))
    const isNamed = shape?.kind === 'struct' && element.startsWith('f:') && shape.byName.has(element.slice(2))
    result[element] = isNamed ? withSelf(inner) : inner
  }
  return isEmptySet(result) ? emptySet : result
}

function shapeBelow(shape: Shape | undefined, element: string): Shape | undefined {
  if (shape === undefined) return undefined
  if (element.startsWith('f:')) {
    if (shape.kind === 'deduced') return shape
    return shape.kind === 'struct' || shape.kind === 'map' ? memberShape(shape, element.slice(2)) : undefined
  }
  return shape.kind === 'list' ? shape.of : undefined
}

/** The object as it is stored, without the nulls that stand for empty fields. Free-form JSON keeps its nulls. */
export function withoutNullFields(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'scalar' || shape.kind === 'any' || shape.kind === 'deduced' || typeof value !== 'object' || value === null)
    return value
  if (shape.kind === 'list') return mapShared(value as unknown[], (element) => withoutNullFields(shape.of, element))
  const object = value as JsonObject
  const result: JsonObject = {}
  let isSame = true
  for (const key of Object.keys(object)) {
    const member = memberShape(shape, key)
    const next = member === undefined ? object[key] : withoutNullFields(member, object[key])
    // In a map of strings or bytes, as in Go, null is an empty value.
    const isDropped = next === null && shape.kind !== 'map' && shape.byName.get(key)?.nullable !== true
    if (next !== object[key] || isDropped) isSame = false
    if (!isDropped) setOwnValue(result, key, next)
  }
  return isSame ? value : result
}

function mapShared(list: unknown[], change: (value: unknown) => unknown): unknown[] {
  const next = list.map(change)
  return next.every((value, at) => value === list[at]) ? list : next
}

// The fields that an object sets.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/typed.toFieldSetWalker.*
import { isJsonObject } from '../json-object.ts'
import { difference, emptySet, type FieldSet, type FieldSetInProgress, isEmptySet, withSelf } from './field-set.ts'
import { elementOf } from './list-element.ts'
import { compareElements } from './path-element.ts'
import { fieldsIn, goValue, type ListShape, type MapShape, type Shape, type StructShape, shapeFor, shapeOfKind } from './shape.ts'

const leaf = emptySet

/** Fields without an owner: those that the server fills in, and those that identify the object. */
const unowned: FieldSet = {
  'f:apiVersion': leaf,
  'f:kind': leaf,
  'f:metadata': {
    '.': leaf,
    'f:clusterName': leaf,
    'f:creationTimestamp': leaf,
    'f:generation': leaf,
    'f:managedFields': leaf,
    'f:name': leaf,
    'f:namespace': leaf,
    'f:resourceVersion': leaf,
    'f:selfLink': leaf,
    'f:uid': leaf,
  },
}

export const withoutUnowned = (set: FieldSet): FieldSet => difference(set, unowned)

/**
 * The fields that a configuration names, as its applier comes to own them: values and elements of lists, and of the
 * objects around them only those that are empty or members of a map.
 */
export function fieldSetOf(typeName: string, object: unknown): FieldSet {
  return withoutUnowned(namedFieldsOf(shapeOfKind(typeName), object))
}

/** The same with apiVersion, kind and all of metadata. */
export function namedFieldsOf(shape: Shape, value: unknown): FieldSet {
  return namedNode(shape, value) ?? emptySet
}

/** Undefined if the value has no fields that can be owned. */
function namedNode(given: Shape, value: unknown): FieldSet | undefined {
  const shape = shapeFor(given, value)
  if (shape.atomic) return leaf
  switch (shape.kind) {
    case 'struct':
      return isJsonObject(value) ? namedInStruct(shape, value) : undefined
    case 'map':
      return isJsonObject(value) ? namedInMap(shape, value) : undefined
    case 'list':
      return Array.isArray(value) ? nodeOfList(shape, value, (element) => withSelf(namedNode(shape.of, element) ?? leaf)) : undefined
  }
}

function namedInStruct(shape: StructShape, value: Record<string, unknown>): FieldSet | undefined {
  let result: FieldSetInProgress | undefined
  for (const field of fieldsIn(shape, value)) {
    const member = value[field.name]
    if (member === undefined) continue
    const node = member === null || isEmptyObject(member) ? leaf : namedNode(field.shape, member)
    if (node === undefined) continue
    result ??= {}
    result[field.element] = node
  }
  return result
}

function namedInMap(shape: MapShape, value: Record<string, unknown>): FieldSet | undefined {
  const result: FieldSetInProgress = {}
  for (const key of Object.keys(value).sort()) result[`f:${key}`] = withSelf(namedNode(shape.of, value[key]) ?? leaf)
  return isEmptySet(result) ? undefined : result
}

const isEmptyObject = (value: unknown): boolean => isJsonObject(value) && isEmptySet(value as FieldSet)

/** A node for each element of a list. Elements with the same key are owned together, as a whole. */
function nodeOfList(shape: ListShape, list: readonly unknown[], nodeOf: (element: unknown) => FieldSet): FieldSet | undefined {
  if (list.length === 1) {
    const only = elementOf(shape, list[0])
    if (only === undefined) return undefined
    const result: FieldSetInProgress = {}
    result[only] = nodeOf(list[0])
    return result
  }
  const nodes = new Map<string, FieldSet>()
  for (const value of list) {
    const element = elementOf(shape, value)
    if (element !== undefined) nodes.set(element, nodes.has(element) ? leaf : nodeOf(value))
  }
  return sortedNode(nodes)
}

export function sortedNode(nodes: ReadonlyMap<string, FieldSet>): FieldSet | undefined {
  if (nodes.size === 0) return undefined
  const result: FieldSetInProgress = {}
  if (nodes.size === 1) {
    for (const [element, node] of nodes) result[element] = node
    return result
  }
  for (const element of [...nodes.keys()].sort(compareElements)) result[element] = nodes.get(element)!
  return result
}

/** Everything that a new value brings, with all the objects and lists around its values. Always has the value itself. */
export function wholeNode(given: Shape, value: unknown): FieldSet {
  const shape = shapeFor(given, value)
  if (shape.atomic || typeof value !== 'object' || value === null) return leaf
  switch (shape.kind) {
    case 'struct': {
      const result: FieldSetInProgress = { '.': leaf }
      let isAny = false
      for (const field of fieldsIn(shape, value)) {
        const own = (value as Record<string, unknown>)[field.name]
        // Most fields of a struct are absent, and most others are atomic.
        if (own === undefined && field.zero === undefined) continue
        const member = goValue(field, own)
        if (member === undefined) continue
        result[field.element] = field.shape.atomic ? leaf : wholeNode(field.shape, member)
        isAny = true
      }
      return isAny ? result : leaf
    }
    case 'map': {
      const keys = Object.keys(value)
      if (keys.length === 0) return leaf
      const result: FieldSetInProgress = { '.': leaf }
      for (const key of keys.length > 1 ? keys.sort() : keys)
        result[`f:${key}`] = wholeNode(shape.of, (value as Record<string, unknown>)[key])
      return result
    }
    case 'list': {
      const node = Array.isArray(value) ? nodeOfList(shape, value, (element) => wholeNode(shape.of, element)) : undefined
      return node === undefined ? leaf : { '.': leaf, ...node }
    }
  }
}

// What the creation of an object writes. Events and pods are made by the thousand, and most set the same fields as one
// just before: then the set is the very same, and is held once.
import type { KubernetesObject } from '../types.ts'
import { compareObjects, withoutFields } from './compare.ts'
import { emptySet, type FieldSet, union } from './field-set.ts'
import { elementOf } from './list-element.ts'
import { withoutUnowned } from './of-object.ts'
import { resetFieldsOf } from './reset-fields.ts'
import { goValue, type Shape, type StructShape, shapeOfKind } from './shape.ts'

export interface Creation {
  /** All fields that are set. */
  readonly written: FieldSet
  /** Those that come to be owned. */
  readonly owned: FieldSet
  /** Nothing was there. */
  readonly removed: FieldSet
}

interface Sample extends Creation {
  readonly object: unknown
}

const remembered = new Set(['core.Pod', 'core.Event'])
const mostSamples = 6
const samples = new Map<string, Sample[]>()

export function creationOf(typeName: string, object: KubernetesObject): Creation {
  if (!remembered.has(typeName)) return compareWithNothing(typeName, object)
  const shape = shapeOfKind(typeName)
  let known = samples.get(typeName)
  if (known === undefined) {
    known = []
    samples.set(typeName, known)
  }
  for (const sample of known) if (hasSameFields(shape, sample.object, object)) return sample
  const creation = compareWithNothing(typeName, object)
  // A copy, as the object itself will change before it is stored.
  known.unshift({ ...creation, object: structuredClone(object) })
  if (known.length > mostSamples) known.pop()
  return creation
}

/** What an object writes that has the spec of another one, which wrote `other`. `rest` is that object without it. */
export function creationWithSpec(typeName: string, rest: KubernetesObject, other: Creation): Creation {
  const { written, owned, removed } = creationOf(typeName, rest)
  return { written: union(written, specOf(other.written)), owned: union(owned, specOf(other.owned)), removed }
}

const specOf = (set: FieldSet): FieldSet => (set['f:spec'] === undefined ? emptySet : { 'f:spec': set['f:spec'] })

function compareWithNothing(typeName: string, object: KubernetesObject): Creation {
  const { added, modified } = withoutFields(compareObjects(typeName, {}, object), resetFieldsOf(typeName, ''))
  const written = union(modified, added)
  return { written, owned: withoutUnowned(written), removed: emptySet }
}

/** Whether two values set the same fields. False where it is not sure. */
export function hasSameFields(shape: Shape, one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isContainer(one) || !isContainer(other)) return isAlike(one, other)
  if (Array.isArray(one) !== Array.isArray(other) || isEmpty(one) !== isEmpty(other)) return false
  if (shape.atomic) return true
  if (shape.kind === 'struct') return hasSameMembers(shape, one, other) && hasNoMore(shape, one, other)
  if (shape.kind === 'map') {
    const keys = Object.keys(one)
    if (keys.length !== Object.keys(other).length) return false
    return keys.every((key) => Object.hasOwn(other, key) && hasSameFields(shape.of, one[key], other[key]))
  }
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
  return one.every((item, at) => elementOf(shape, item) === elementOf(shape, other[at]) && hasSameFields(shape.of, item, other[at]))
}

type Container = Readonly<Record<string, unknown>>

function hasSameMembers(shape: StructShape, one: Container, other: Container): boolean {
  for (const name in one) {
    if (one[name] === other[name]) continue
    const field = shape.byName.get(name)
    if (field === undefined) continue
    const mine = goValue(field, one[name])
    const theirs = goValue(field, other[name])
    if ((mine === field.zero) !== (theirs === field.zero) || !hasSameFields(field.shape, mine, theirs)) return false
  }
  return true
}

function hasNoMore(shape: StructShape, one: Container, other: Container): boolean {
  for (const name in other) {
    if (one[name] !== undefined) continue
    const field = shape.byName.get(name)
    if (field !== undefined && goValue(field, other[name]) !== field.zero) return false
  }
  return true
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

function isEmpty(value: Container): boolean {
  for (const _ in value) return false
  return true
}

/** Of two values of which at least one has nothing in it. */
const isAlike = (one: unknown, other: unknown) => typeof one === typeof other && isContainer(one) === isContainer(other) && !one === !other

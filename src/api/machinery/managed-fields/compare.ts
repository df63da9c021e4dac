// Compares two objects of one kind, field by field.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/typed.compareWalker.*
import { isEqualJson } from '../../../base/json.ts'
import { getOrAdd } from '../../../base/maps.ts'
import { isJsonObject, ownValue } from '../json-object.ts'
import { emptySet, type FieldSet, type FieldSetInProgress, recursiveDifference } from './field-set.ts'
import { elementOf } from './list-element.ts'
import { sortedNode, wholeNode } from './of-object.ts'
import {
  type FieldShape,
  fieldOfStruct,
  goValue,
  type ListShape,
  type MapShape,
  type Shape,
  type StructShape,
  shapeFor,
  shapeOfKind,
} from './shape.ts'

/** No field is in more than one of the three. */
interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

/** The changes from `old` to `next`. Parts that both share are skipped. */
export function compareObjects(typeName: string, old: unknown, next: unknown): Comparison {
  return compareShapes(shapeOfKind(typeName), old, next, goValue)
}

type ReadField = (field: FieldShape, value: unknown) => unknown

/** The same for a `next` with explicit nulls: such a field is present and empty. */
export function compareWithNulls(shape: Shape, old: unknown, next: unknown): Comparison {
  return compareShapes(shape, old, next, (field, value) => (value === undefined ? field.zero : value))
}

function compareShapes(shape: Shape, old: unknown, next: unknown, readNext: ReadField): Comparison {
  const { added, modified, removed } = new Comparer(readNext).compare(shape, old, next)
  return { added: added ?? emptySet, modified: modified ?? emptySet, removed: removed ?? emptySet }
}

/** The comparison without those fields and everything below them. */
export function withoutFields({ added, modified, removed }: Comparison, fields: FieldSet): Comparison {
  return {
    added: recursiveDifference(added, fields),
    modified: recursiveDifference(modified, fields),
    removed: recursiveDifference(removed, fields),
  }
}

interface Changes {
  readonly added: FieldSet | undefined
  readonly modified: FieldSet | undefined
  readonly removed: FieldSet | undefined
}

const nothing: Changes = { added: undefined, modified: undefined, removed: undefined }
/** Longer lists are compared through an index. */
const maxScannedElements = 32
const modifiedLeaf: Changes = { ...nothing, modified: emptySet }

/** For two values that are not identical: of these, only objects and arrays can be equal. */
const hasSameContent = (old: unknown, next: unknown) => typeof old === 'object' && typeof next === 'object' && isEqualJson(old, next)

class Comparer {
  readonly #readNext: ReadField

  constructor(readNext: ReadField) {
    this.#readNext = readNext
  }

  compare(given: Shape, old: unknown, next: unknown): Changes {
    if (old === next) return nothing
    const shape =
      given.kind !== 'deduced'
        ? given
        : old === undefined
          ? shapeFor(given, next)
          : next === undefined
            ? shapeFor(given, old)
            : shapeFor(given, old, next)
    if (old === undefined) return { ...nothing, added: wholeNode(shape, next) }
    if (next === undefined) return { ...nothing, removed: wholeNode(shape, old) }
    if (shape.atomic) return hasSameContent(old, next) ? nothing : modifiedLeaf
    if (shape.kind === 'struct' && old !== null && next !== null) return this.#compareStructs(shape, asObject(old), asObject(next))
    // Null and empty are two values, and neither has anything below it.
    if (isNullOrEmpty(old) && isNullOrEmpty(next)) return hasSameContent(old, next) ? nothing : modifiedLeaf
    if (shape.kind === 'struct') return this.#compareStructs(shape, asObject(old), asObject(next))
    if (shape.kind === 'map') return this.#compareMaps(shape, asObject(old), asObject(next))
    return this.#compareLists(shape, asList(old), asList(next))
  }

  #compareStructs(shape: StructShape, old: Record<string, unknown>, next: Record<string, unknown>): Changes {
    let added: FieldSetInProgress | undefined
    let modified: FieldSetInProgress | undefined
    let removed: FieldSetInProgress | undefined
    for (const field of differingFields(shape, old, next)) {
      const changes = this.compare(field.shape, goValue(field, old[field.name]), this.#readNext(field, next[field.name]))
      if (changes === nothing) continue
      if (changes.added !== undefined) {
        added ??= {}
        added[field.element] = changes.added
      }
      if (changes.modified !== undefined) {
        modified ??= {}
        modified[field.element] = changes.modified
      }
      if (changes.removed !== undefined) {
        removed ??= {}
        removed[field.element] = changes.removed
      }
    }
    return changesOf(added, modified, removed)
  }

  #compareMaps(shape: MapShape, old: Record<string, unknown>, next: Record<string, unknown>): Changes {
    if (isEqualJson(old, next)) return nothing
    const collected = new Collected()
    for (const key of new Set([...Object.keys(old), ...Object.keys(next)]))
      collected.add(`f:${key}`, this.compare(shape.of, ownValue(old, key), ownValue(next, key)))
    return collected.changes()
  }

  /** Undefined when the two do not have the same elements in the same order, each of them once. */
  #compareAlike(shape: ListShape, old: readonly unknown[], next: readonly unknown[]): Changes | undefined {
    if (old.length !== next.length || old.length > maxScannedElements) return undefined
    const elements: string[] = []
    for (let at = 0; at < old.length; at++) {
      const element = elementOf(shape, next[at])
      if (element === undefined || elements.includes(element)) return undefined
      if (old[at] !== next[at] && elementOf(shape, old[at]) !== element) return undefined
      elements.push(element)
    }
    const collected = new Collected()
    for (let at = 0; at < old.length; at++)
      if (old[at] !== next[at]) collected.add(elements[at]!, this.compare(shape.of, old[at], next[at]))
    return collected.changes()
  }

  #compareLists(shape: ListShape, old: readonly unknown[], next: readonly unknown[]): Changes {
    const alike = this.#compareAlike(shape, old, next)
    if (alike !== undefined) return alike
    const collected = new Collected()
    const before = byElement(shape, old)
    const after = byElement(shape, next)
    for (const element of new Set([...before.keys(), ...after.keys()])) {
      const mine = before.get(element) ?? []
      const theirs = after.get(element) ?? []
      if (mine.length <= 1 && theirs.length <= 1) {
        collected.add(element, this.compare(shape.of, mine[0], theirs[0]))
      } else if (mine.length > 1 && theirs.length > 1) {
        if (!isEqualJson(mine, theirs)) collected.modified.set(element, emptySet)
      } else if (mine.length > 1) {
        // Elements that were owned together are now one: the pair is removed, the one is added.
        if (theirs.length > 0) collected.added.set(element, wholeNode(shape.of, theirs[0]))
        collected.removed.set(element, emptySet)
      } else {
        if (mine.length > 0) collected.removed.set(element, wholeNode(shape.of, mine[0]))
        collected.added.set(element, emptySet)
      }
    }
    return collected.changes()
  }
}

/** In the order of their names. Most fields of a struct are in neither of the two. */
function differingFields(shape: StructShape, old: Record<string, unknown>, next: Record<string, unknown>): readonly FieldShape[] {
  const fields: FieldShape[] = []
  for (const name in next) {
    const value = next[name]
    if (value === undefined || value === old[name]) continue
    const field = fieldOfStruct(shape, name)
    if (field !== undefined) insertByName(fields, field)
  }
  for (const name in old) {
    if (next[name] !== undefined || old[name] === undefined) continue
    const field = fieldOfStruct(shape, name)
    if (field !== undefined) insertByName(fields, field)
  }
  return fields
}

/** Few fields differ at a time. */
function insertByName(fields: FieldShape[], field: FieldShape): void {
  let at = fields.length
  while (at > 0 && fields[at - 1]!.name > field.name) {
    fields[at] = fields[at - 1]!
    at--
  }
  fields[at] = field
}

function changesOf(added: FieldSet | undefined, modified: FieldSet | undefined, removed: FieldSet | undefined): Changes {
  return added === undefined && modified === undefined && removed === undefined ? nothing : { added, modified, removed }
}

class Collected {
  readonly added = new Map<string, FieldSet>()
  readonly modified = new Map<string, FieldSet>()
  readonly removed = new Map<string, FieldSet>()

  add(element: string, { added, modified, removed }: Changes): void {
    if (added !== undefined) this.added.set(element, added)
    if (modified !== undefined) this.modified.set(element, modified)
    if (removed !== undefined) this.removed.set(element, removed)
  }

  changes(): Changes {
    return changesOf(sortedNode(this.added), sortedNode(this.modified), sortedNode(this.removed))
  }
}

function byElement(shape: ListShape, list: readonly unknown[]): Map<string, unknown[]> {
  const result = new Map<string, unknown[]>()
  for (const value of list) {
    const element = elementOf(shape, value)
    if (element !== undefined) getOrAdd(result, element, () => []).push(value)
  }
  return result
}

const isNullOrEmpty = (value: unknown): boolean => value === null || (typeof value === 'object' && Object.keys(value).length === 0)
const asObject = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {})
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

// A set of fields, as a tree. It is its own wire form, the `fieldsV1` of an entry of managedFields:
//   {}                          as a node: the field itself, and nothing below it
//   {'.': {}, 'f:a': {}}        the field itself, and its member `a`
//   {'f:a': {}}                 the member `a` alone
// At the root, {} is the empty set: the object as a whole has no owner. Every operation takes and gives sets in this form,
// with elements in Kubernetes' order, changes none of its arguments, and returns its first argument itself when nothing
// is different, so that `===` shows whether anything changed.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/fieldpath.Set.*, SetNodeMap.*
import { compareElements } from './path-element.ts'

export interface FieldSet {
  readonly [element: string]: FieldSet
}
/** A set under construction. Elements are added in order. */
export type FieldSetInProgress = { [element: string]: FieldSet }

/** The empty set; as a node, a field with nothing below it. */
export const emptySet: FieldSet = Object.freeze({})

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false
  return true
}

/** Whether the field of this node is itself in the set. */
export function isMember(node: FieldSet): boolean {
  return node['.'] !== undefined || isEmptySet(node)
}

export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set
  for (const element of path) {
    node = node[element]
    if (node === undefined) return false
  }
  return path.length > 0 && isMember(node)
}

export function union(one: FieldSet, other: FieldSet): FieldSet {
  if (isEmptySet(one)) return other
  return isEmptySet(other) ? one : unionNodes(one, other)
}

/** The union of many sets, pair by pair: a sum that grows set by set would be copied for each of them. */
export function unionAll(sets: readonly FieldSet[]): FieldSet {
  let left = sets
  while (left.length > 1) {
    const next: FieldSet[] = []
    for (let at = 0; at < left.length; at += 2) next.push(at + 1 < left.length ? union(left[at]!, left[at + 1]!) : left[at]!)
    left = next
  }
  return left[0] ?? emptySet
}

function unionNodes(one: FieldSet, other: FieldSet): FieldSet {
  if (one === other) return one
  if (isEmptySet(other)) return withSelf(one)
  if (isEmptySet(one)) return withSelf(other)
  if (!hasAllElements(one, other)) return mergeNodes(one, other)
  let result: FieldSetInProgress | undefined
  for (const key in other) {
    const mine = one[key]!
    const both = unionNodes(mine, other[key]!)
    if (both === mine) continue
    result ??= { ...one }
    result[key] = both
  }
  return result ?? one
}

function hasAllElements(one: FieldSet, other: FieldSet): boolean {
  for (const key in other) if (one[key] === undefined) return false
  return true
}

function mergeNodes(one: FieldSet, other: FieldSet): FieldSet {
  const result: FieldSetInProgress = {}
  const more = Object.keys(other)
  let at = 0
  for (const key in one) {
    while (at < more.length && compareElements(more[at]!, key) < 0) {
      result[more[at]!] = other[more[at]!]!
      at++
    }
    const theirs = other[key]
    if (more[at] === key) at++
    result[key] = theirs === undefined ? one[key]! : unionNodes(one[key]!, theirs)
  }
  for (; at < more.length; at++) result[more[at]!] = other[more[at]!]!
  return result
}

/** The node with its own field in it. */
export function withSelf(node: FieldSet): FieldSet {
  return isMember(node) ? node : { '.': emptySet, ...node }
}

export function intersection(one: FieldSet, other: FieldSet): FieldSet {
  return intersectChildren(one, other, false) ?? emptySet
}

function intersectChildren(one: FieldSet, other: FieldSet, isSelfIn: boolean): FieldSet | undefined {
  if (one === other) return one
  return mapChildren(one, other, isSelfIn, (mine, theirs) =>
    theirs === undefined ? undefined : intersectChildren(mine, theirs, isMember(mine) && isMember(theirs)),
  )
}

/** `one` with the children that `combine` returns; `one` itself if they are the same, and undefined if nothing is left. */
function mapChildren(
  one: FieldSet,
  other: FieldSet,
  isSelfIn: boolean,
  combine: (mine: FieldSet, theirs: FieldSet | undefined) => FieldSet | undefined,
): FieldSet | undefined {
  const result: FieldSetInProgress = isSelfIn ? { '.': emptySet } : {}
  let isSame = isSelfIn || one['.'] === undefined
  let isAny = false
  for (const key in one) {
    if (key === '.') continue
    const mine = one[key]!
    const child = combine(mine, other[key])
    if (child !== mine) isSame = false
    if (child === undefined) continue
    result[key] = child
    isAny = true
  }
  if (!isAny) return isSelfIn ? emptySet : undefined
  return isSame ? one : result
}

/** The fields in `one` that are not in `other`. A field below a removed one stays. */
export function difference(one: FieldSet, other: FieldSet): FieldSet {
  return isEmptySet(other) ? one : (subtractChildren(one, other, false) ?? emptySet)
}

/** Sets up to this size are scanned. */
const few = 16

/** Whether there is an element of both, besides the node itself. Many small sets are compared with one large set, and the other way round. */
function isTouched(one: FieldSet, other: FieldSet): boolean {
  let count = 0
  for (const key in one) {
    if (key !== '.' && other[key] !== undefined) return true
    if (++count === few) break
  }
  if (count < few) return false
  for (const key in other) if (key !== '.' && one[key] !== undefined) return true
  return false
}

function subtractChildren(one: FieldSet, other: FieldSet, isSelfIn: boolean): FieldSet | undefined {
  if (isEmptySet(one)) return isSelfIn ? one : undefined
  if ((isSelfIn || one['.'] === undefined) && !isTouched(one, other)) return one
  return mapChildren(one, other, isSelfIn, (mine, theirs) =>
    theirs === undefined ? mine : subtractChildren(mine, theirs, isMember(mine) && !isMember(theirs)),
  )
}

/** The fields in `one` that are neither in `other` nor below a field of `other`. */
export function recursiveDifference(one: FieldSet, other: FieldSet): FieldSet {
  return subtractTrees(one, other) ?? emptySet
}

function subtractTrees(one: FieldSet, other: FieldSet): FieldSet | undefined {
  if (isEmptySet(one) || !isTouched(one, other)) return one
  const result: FieldSetInProgress = {}
  let isSame = true
  let isAny = false
  for (const key in one) {
    const mine = one[key]!
    const theirs = key === '.' ? undefined : other[key]
    const rest = theirs === undefined ? mine : isMember(theirs) ? undefined : subtractTrees(mine, theirs)
    if (rest !== mine) isSame = false
    if (rest === undefined) continue
    result[key] = rest
    isAny ||= key !== '.'
  }
  if (isSame) return one
  return isAny ? result : one['.'] === undefined ? undefined : emptySet
}

/** Only the fields without children. */
export function leaves(set: FieldSet): FieldSet {
  const result: FieldSetInProgress = {}
  for (const key in set) if (key !== '.') result[key] = leaves(set[key]!)
  return result
}

/** Every path of the set: at each level first the fields, then their children. */
export function pathsOf(set: FieldSet): string[][] {
  const paths: string[][] = []
  const visit = (node: FieldSet, prefix: readonly string[]) => {
    for (const key in node) if (key !== '.' && isMember(node[key]!)) paths.push([...prefix, key])
    for (const key in node) if (key !== '.') visit(node[key]!, [...prefix, key])
  }
  visit(set, [])
  return paths
}

export function isSameSet(one: FieldSet, other: FieldSet): boolean {
  if (one === other) return true
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => {
      const theirs = other[key]
      return theirs !== undefined && isSameSet(one[key]!, theirs)
    })
  )
}

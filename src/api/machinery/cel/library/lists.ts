// Lists and sets.
// Kubernetes: k8s.io/apiserver/pkg/cel/library.lists.*
// Kubernetes: github.com/google/cel-go/ext.setsLib.*
import { bool, bytes, double, duration, dyn, int, listOf, param, string, timestamp, uint } from '../cel-type.ts'
import { compare, isEqual } from '../equality.ts'
import { EvaluationError } from '../evaluation-error.ts'
import { type Functions, global, member } from '../functions.ts'
import { CelList, Optional, sizeOf, UnsignedInt } from '../values.ts'
import { arithmetic } from './arithmetic.ts'
import { perItem, product, square } from './costs.ts'

const A = param('A')
const comparable = [int, uint, double, bool, duration, timestamp, string, bytes]

/** A traversal, of the text of its items too. */
const traversal = ([list]: readonly unknown[]): number => {
  if (!(list instanceof CelList)) return sizeOf(list)
  let cost = list.size
  const first = list.size === 0 ? undefined : list.at(0)
  if (typeof first === 'string' || first instanceof Uint8Array) for (const item of list) cost += Math.ceil(sizeOf(item) * 0.1)
  return cost
}

function isSorted(list: CelList): boolean {
  for (let at = 1; at < list.size; at++) if (compare(list.at(at - 1), list.at(at)) > 0) return false
  return true
}

function best(name: string, wanted: number) {
  return (list: CelList) => {
    if (list.size === 0) throw new EvaluationError(`${name} called on empty list`)
    let chosen = list.at(0)
    for (const item of list) if (Math.sign(compare(item, chosen)) === wanted) chosen = item
    return chosen
  }
}

const add = (one: unknown, other: unknown): unknown => {
  const at = typeof one === 'bigint' ? 0 : one instanceof UnsignedInt ? 1 : typeof one === 'number' ? 2 : -1
  return (arithmetic['_+_']!.at(at)!.call as (...args: unknown[]) => unknown)(one, other)
}

function indexOf(list: CelList, wanted: unknown): bigint {
  for (let at = 0; at < list.size; at++) if (isEqual(list.at(at), wanted)) return BigInt(at)
  return -1n
}

function lastIndexOf(list: CelList, wanted: unknown): bigint {
  for (let at = list.size - 1; at >= 0; at--) if (isEqual(list.at(at), wanted)) return BigInt(at)
  return -1n
}

function slice(list: CelList, start: bigint, end: bigint): CelList {
  const range = `cannot slice(${start}, ${end})`
  if (start < 0n || end < 0n) throw new EvaluationError(`${range}, negative indexes not supported`)
  if (start > end) throw new EvaluationError(`${range}, start index must be less than or equal to end index`)
  if (end > list.size) throw new EvaluationError(`${range}, list is length ${list.size}`)
  return new CelList([...list].slice(Number(start), Number(end)))
}

function flatten(list: CelList, depth: bigint): CelList {
  if (depth < 0n) throw new EvaluationError('level must be non-negative')
  const items: unknown[] = []
  for (const item of list) {
    if (item instanceof CelList && depth > 0n) for (const inner of flatten(item, depth - 1n)) items.push(inner)
    else items.push(item)
  }
  return new CelList(items)
}

function distinct(list: CelList): CelList {
  const items: unknown[] = []
  for (const item of list) if (!items.some((known) => isEqual(known, item))) items.push(item)
  return new CelList(items)
}

function range(count: bigint): CelList {
  if (count > 1_000_000n) throw new EvaluationError('operation cancelled: actual cost limit exceeded')
  return new CelList(Array.from({ length: Math.max(0, Number(count)) }, (_none, at) => BigInt(at)))
}

const has = (list: CelList, wanted: unknown) => indexOf(list, wanted) >= 0n
const containsAll = (list: CelList, part: CelList) => [...part].every((item) => has(list, item))
const optional = (list: CelList, at: number) => (list.size === 0 ? Optional.none : new Optional(list.at(at)))
const optionalA = { kind: 'opaque', name: 'optional_type', parameters: [A] } as const

export const lists: Functions = {
  isSorted: comparable.map((type) => member([listOf(type)], bool, isSorted, traversal)),
  sum: [
    ...[[int, 0n] as const, [uint, new UnsignedInt(0n)] as const, [double, 0] as const].map(([type, zero]) =>
      member([listOf(type)], type, (list: CelList) => [...list].reduce(add, zero), traversal),
    ),
    member(
      [listOf(duration)],
      duration,
      (list: CelList) => [...list].reduce((one, other) => (arithmetic['_+_']!.at(-1)!.call as (...args: unknown[]) => unknown)(one, other)),
      traversal,
    ),
  ],
  max: comparable.map((type) => member([listOf(type)], type, best('max', 1), traversal)),
  min: comparable.map((type) => member([listOf(type)], type, best('min', -1), traversal)),
  indexOf: [member([listOf(A), A], int, indexOf, traversal)],
  lastIndexOf: [member([listOf(A), A], int, lastIndexOf, traversal)],
  slice: [member([listOf(A), int, int], listOf(A), slice, perItem)],
  flatten: [
    member([listOf(listOf(A))], listOf(A), (list: CelList) => flatten(list, 1n), perItem),
    member([listOf(dyn), int], listOf(dyn), flatten, perItem),
  ],
  distinct: [member([listOf(A)], listOf(A), distinct, square)],
  reverse: [member([listOf(A)], listOf(A), (list: CelList) => new CelList([...list].reverse()), perItem)],
  sort: comparable.map((type) => member([listOf(type)], listOf(type), (list: CelList) => new CelList([...list].sort(compare)), square)),
  first: [member([listOf(A)], optionalA, (list: CelList) => optional(list, 0))],
  last: [member([listOf(A)], optionalA, (list: CelList) => optional(list, list.size - 1))],
  'lists.range': [global([int], listOf(int), range, ([count]) => Number(count))],
  'sets.contains': [global([listOf(A), listOf(A)], bool, containsAll, product)],
  'sets.equivalent': [
    global([listOf(A), listOf(A)], bool, (one: CelList, other: CelList) => containsAll(one, other) && containsAll(other, one), product),
  ],
  'sets.intersects': [
    global([listOf(A), listOf(A)], bool, (one: CelList, other: CelList) => [...other].some((item) => has(one, item)), product),
  ],
}

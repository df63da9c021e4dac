// The order of a merged list: elements of the patch keep the order of the patch, and all others that of the server. The two are interleaved:
// an element that only the server has stays before the elements that followed it on the server.
//   server [a b c d], patch names [d b]   →   [a c d b]
// Kubernetes: k8s.io/apimachinery/pkg/util/strategicpatch.normalizeElementOrder, mergeSortedSlice, normalizeSliceOrder

import { isJsonObject } from '../json-object.ts'
import { formatGoValue, goTypeOf } from './go-format.ts'
import { plainPatchError } from './patch-error.ts'

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

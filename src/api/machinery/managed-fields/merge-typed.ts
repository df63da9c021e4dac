// Merges a configuration into the live object: the configuration wins for fields that both have.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/typed.mergingWalker.*
import { isJsonObject, type JsonObject, setOwnValue } from '../json-object.ts'
import { elementOf } from './list-element.ts'
import { type ListShape, memberShape, type Shape, shapeFor } from './shape.ts'

/** Neither argument is changed; the result shares parts with both. `applied` has passed `typeProblem`. */
export function mergeTyped(given: Shape, live: unknown, applied: unknown): unknown {
  if (applied === undefined) return live
  const shape = shapeFor(given, live, applied)
  if (live === undefined || shape.atomic) return applied
  if (shape.kind === 'list') {
    const current = Array.isArray(live) ? live : []
    const wanted = Array.isArray(applied) ? applied : []
    return current.length === 0 && wanted.length === 0 ? applied : mergeLists(shape, current, wanted)
  }
  if (shape.kind !== 'struct' && shape.kind !== 'map') return applied
  const current = isJsonObject(live) ? live : {}
  const wanted = isJsonObject(applied) ? applied : {}
  const wantedKeys = Object.keys(wanted)
  if (wantedKeys.length === 0) return Object.keys(current).length === 0 ? applied : live
  const result: JsonObject = { ...current }
  for (const key of wantedKeys) {
    const member = memberShape(shape, key)
    const before = Object.hasOwn(current, key) ? current[key] : undefined
    setOwnValue(result, key, member === undefined ? wanted[key] : mergeTyped(member, before, wanted[key]))
  }
  return result
}

/**
 * Both orders are kept as far as they agree, and the configuration's where they do not. An element that only the live
 * list has stays before the shared element that followed it.
 */
function mergeLists(shape: ListShape, live: readonly unknown[], applied: readonly unknown[]): unknown[] {
  const liveElements = live.map((value) => elementOf(shape, value) ?? '')
  const appliedElements = applied.map((value) => elementOf(shape, value) ?? '')
  const wanted = new Map(appliedElements.map((element, at) => [element, applied[at]]))
  const current = new Map<string, unknown>()
  // Elements that the live list has twice are not merged: the configuration's replaces them.
  liveElements.forEach((element, at) => {
    current.set(element, current.has(element) ? undefined : live[at])
  })
  const shared = appliedElements.filter((element) => current.has(element))
  const merged = new Set<string>()
  const result: unknown[] = []
  const take = (element: string) => {
    merged.add(element)
    result.push(mergeTyped(shape.of, current.get(element), wanted.get(element)))
    if (shared[0] === element) shared.shift()
  }
  let at = 0
  let next = 0
  while (at < live.length || next < applied.length) {
    const mine = liveElements[at]
    const theirs = appliedElements[next]
    if (mine !== undefined && theirs !== undefined) {
      if (mine === theirs) {
        take(mine)
        at++
        next++
        continue
      }
      if (wanted.has(mine) && shared[0] !== undefined && shared[0] !== mine) {
        at++
        continue
      }
    }
    if (mine !== undefined) {
      if (!wanted.has(mine)) {
        result.push(live[at])
        at++
        continue
      }
      if (merged.has(mine)) at++
    }
    if (theirs !== undefined) {
      take(theirs)
      next++
    }
  }
  return result
}

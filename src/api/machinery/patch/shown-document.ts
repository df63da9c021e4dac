// A patched document as Kubernetes prints it when it cannot be decoded: the members of objects that the patch has changed are sorted, all
// others keep their order.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.applyPatchToObject
import { isJsonObject, type JsonObject, setOwnValue } from '../json-object.ts'

/** A custom resource has no type that would give its members an order. */
export function showSorted(document: unknown): string {
  return JSON.stringify(sortAll(document))
}

function sortAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortAll)
  if (!isJsonObject(value)) return value
  const sorted: JsonObject = {}
  for (const key of Object.keys(value).sort()) setOwnValue(sorted, key, sortAll(value[key]))
  return sorted
}

export function showMerged(document: unknown, patch: unknown): string {
  return JSON.stringify(sortAlong(document, patch))
}

export function showPatched(document: unknown, operations: unknown): string {
  const touched: JsonObject = {}
  for (const operation of Array.isArray(operations) ? operations : [])
    if (isJsonObject(operation))
      for (const pointer of [operation['path'], operation['from']]) if (typeof pointer === 'string') mark(touched, pointer)
  return JSON.stringify(sortAlong(document, touched))
}

function mark(touched: JsonObject, pointer: string): void {
  let node = touched
  for (const step of pointer.split('/').slice(1, -1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const next = Object.hasOwn(node, key) ? (node[key] as JsonObject) : {}
    setOwnValue(node, key, next)
    node = next
  }
}

function sortAlong(value: unknown, touched: unknown): unknown {
  // A list of a merge patch replaces the one that was there: all of it is in order.
  if (Array.isArray(touched)) return sortAlong(value, { ...touched })
  if (!isJsonObject(touched)) return value
  const part = (key: string) => (Object.hasOwn(touched, key) ? touched[key] : undefined)
  if (Array.isArray(value)) return value.map((one, at) => sortAlong(one, part(String(at))))
  if (!isJsonObject(value)) return value
  const sorted: JsonObject = {}
  for (const key of Object.keys(value).sort()) setOwnValue(sorted, key, sortAlong(value[key], part(key)))
  return sorted
}

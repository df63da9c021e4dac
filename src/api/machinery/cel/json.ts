// Kubernetes: k8s.io/apiserver/pkg/cel/common.UnstructuredToVal
import { Duration, showDuration, showTimestamp, Timestamp } from './time.ts'
import { CelList, isMap, JsonMap, JsonObject, OpaqueValue, Optional, TypeValue, UnsignedInt } from './values.ts'

/** A result as JSON. Optional values that are absent are undefined. */
export function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof UnsignedInt) return Number(value.value)
  if (value instanceof CelList) return [...value].map(toJson)
  if (value instanceof JsonObject || value instanceof JsonMap) return value.raw
  if (isMap(value)) return Object.fromEntries([...value.entries()].map(([key, one]) => [String(key), toJson(one)]))
  if (value instanceof Timestamp) return showTimestamp(value)
  if (value instanceof Duration) return showDuration(value)
  if (value instanceof Uint8Array) return btoa(String.fromCharCode(...value))
  if (value instanceof TypeValue) return value.name
  return value instanceof Optional ? toJson(value.value) : value instanceof OpaqueValue ? value.typeName : value
}

// JSON objects that came from users. Their keys may be `__proto__` or `constructor`: only own properties are
// read, and a prototype is never written.
// Ours: objects of JavaScript have members that maps of Go do not have.

export type JsonObject = { [key: string]: unknown }

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export function setOwnValue(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

/** The value with its keys in order, all the way down. */
export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (!isJsonObject(value)) return value
  const result: JsonObject = {}
  for (const key of Object.keys(value).sort()) setOwnValue(result, key, withSortedKeys(value[key]))
  return result
}

/** The value that a patch sets where there was none: a member that is null would delete, and is left out. Elements that are null stay. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isJsonObject(value)) return value
  const result: JsonObject = {}
  for (const key of Object.keys(value)) if (value[key] !== null) setOwnValue(result, key, withoutNulls(value[key]))
  return result
}

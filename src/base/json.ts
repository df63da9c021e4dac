// Equality and copies of JSON values.

type Fields = Readonly<Record<string, unknown>>

/** Deep equality. The order of fields does not matter; a field that is undefined counts as absent. */
export function isEqualJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let at = 0; at < a.length; at++) if (!isEqualJson(a[at], b[at])) return false
    return true
  }
  return !Array.isArray(b) && hasEqualFields(a, b)
}

/** Deep equality of two objects, without the fields `except`. */
export function hasEqualFields(one: object, other: object, except?: ReadonlySet<string>): boolean {
  const [a, b] = [one as Fields, other as Fields]
  let defined = 0
  for (const field in a) {
    const value = a[field]
    if (value === undefined || except?.has(field)) continue
    defined++
    // `b` inherits fields such as `constructor`.
    if (!Object.hasOwn(b, field) || !isEqualJson(value, b[field])) return false
  }
  for (const field in b) if (b[field] !== undefined && !except?.has(field)) defined--
  return defined === 0
}

/** A deep copy. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyJson) as T
  const copy: Record<string, unknown> = {}
  for (const field in value) {
    if (field === '__proto__')
      Object.defineProperty(copy, field, { value: copyJson(value[field]), enumerable: true, configurable: true, writable: true })
    else copy[field] = copyJson(value[field])
  }
  return copy as T
}
